using Microsoft.CodeAnalysis;

namespace Mux.Generators.Tests.Driver;

/// <summary>What a user marks as obsolete, also as an error, or as experimental is sent all the same, and a build that treats warnings as errors passes.</summary>
public sealed class MarkedCodeTests
{
    private const string Source = """
        using System;
        using System.Collections.Generic;
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;

        MARK public enum Old { MARK None, MARK Some }
        MARK [DataContract] public class Gone { MARK public Gone() { } [DataMember(Order = 1), MARKS] public int Id { get; set; } MARK [DataMember(Order = 2)] public Old Kind; }
        [DataContract] public class Item
        {
            [DataMember(Order = 1), MARKS] public int Id { get; set; }
            [DataMember(Order = 2), MARKS] public List<Gone>? Gones;
            [DataMember(Order = 3), MARKS] public Dictionary<Old, Gone>? Map { get; private set; }
            [DataMember(Order = 4)] public int Half { MARK get; set; }
            [DataMember(Order = 5)] public int Other { get; MARK set; }
            [MARKS] public bool IdSpecified { get; set; }
            [MARKS] public bool ShouldSerializeHalf() => true;
            [OnDeserialized, MARKS] public void Done() { }
            [DataMember(Order = 6), MARKS] public Page<Gone>? Page { get; set; }
            [DataMember(Order = 7), MARKS] public (Gone, Old) Pair { get; set; }
            [DataMember(Order = 8), MuxKey, MARKS] public string? Key { get; set; }
        }
        [DataContract] public class Page<T> { [DataMember(Order = 1), MARKS] public T? Value { get; set; } [MARKS] public Page() { } }
        MARK [DataContract] public record Record([property: DataMember(Order = 1)] int Id, [property: DataMember(Order = 2), MARKS] Gone? Gone);
        MARK [ProtoContract, ProtoInclude(3, typeof(Dog))] public class Animal { [ProtoMember(1), MARKS] public int Id; }
        MARK [ProtoContract] public class Dog : Animal { [ProtoMember(1), MARKS] public int Age; }
        MARK [ProtoContract(Surrogate = typeof(Wire))] public class Weight { }
        MARK [ProtoContract] public class Wire
        {
            [ProtoMember(1)] public int Id;
            MARK public static implicit operator Wire(Weight value) => new();
            [ProtoConverter, MARKS] public static Weight From(Wire value) => new();
        }
        MARK [MuxCallback] public interface ICalls { MARK ValueTask Tell(Gone gone); }
        [MuxService("a")] public interface IMethods
        {
            MARK ValueTask<Gone> A(Gone one, Old other);
            [MARKS, MuxError<Gone>(1)] Task B(Record record);
            MARK IAsyncEnumerable<Animal> C(IAsyncEnumerable<Gone> gones);
            MARK ValueTask D(Weight weight, Dog dog);
            MARK ValueTask E(ICalls calls);
            ValueTask F(Item item);
        }
        MARK [MuxService("b")] public interface IWhole { ValueTask<Gone?> A(Gone? gone); }
        namespace Batches
        {
            MARK [MuxService("c")] public interface IBatches { MARK [MuxMethod(Batched = 2)] ValueTask<Gone> A(Gone gone); }
            [MuxService("d")] public interface ISome { MARK [MuxMethod(Batched = 2)] ValueTask<Gone> A(Gone gone); }
        }
        """;

    [Theory]
    [InlineData("Obsolete")]
    [InlineData("Obsolete(\"old\")")]
    [InlineData("Obsolete(\"gone\", true)")]
    [InlineData("Obsolete(\"gone\", true, DiagnosticId = \"GONE1\")")]
    [InlineData("Obsolete(\"old\", DiagnosticId = \"OLD1\")")]
    [InlineData("System.Diagnostics.CodeAnalysis.Experimental(\"NEW1\")")]
    public void Generated_code_names_what_is_marked(string mark)
    {
        var source = Source.Replace("MARKS", mark, StringComparison.Ordinal).Replace("MARK", $"[{mark}]", StringComparison.Ordinal);
        var input = GeneratorRun.Compile("Sample", [], source, GeneratorRun.ProtoBufSource);
        var run = GeneratorRun.Of(input.WithOptions(input.Options.WithGeneralDiagnosticOption(ReportDiagnostic.Error)));
        Assert.Empty(run.Diagnostics.Where(static told => told.Severity == DiagnosticSeverity.Error));
        Assert.NotEmpty(run.GeneratedTrees);
        var generated = run.GeneratedTrees.ToHashSet();
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken)
            .Where(told => told.Severity == DiagnosticSeverity.Error && told.Location.SourceTree is { } tree && generated.Contains(tree)).Take(8));
    }

    [Theory]
    [InlineData("Obsolete(\"gone\", true)")]
    [InlineData("System.Diagnostics.CodeAnalysis.Experimental(\"NEW1\")")]
    public void A_message_with_a_marked_member_compiles(string mark)
    {
        var input = GeneratorRun.Compile("Sample", [], $$"""
            using System; using System.Runtime.Serialization; using System.Threading.Tasks;
            [Mux.MuxService("s")] public interface IService { ValueTask<Item> Get(Item item); [{{mark}}] ValueTask<int> Old(Item item); }
            [DataContract] public class Item { [DataMember(Order = 1), {{mark}}] public int Id { get; set; } [DataMember(Order = 2)] public int Other { get; set; } }
            """);
        var run = GeneratorRun.Of(input.WithOptions(input.Options.WithGeneralDiagnosticOption(ReportDiagnostic.Error)));
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static told => told.Severity == DiagnosticSeverity.Error));
        run.Load();
    }
}
