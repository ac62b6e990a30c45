using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Emitting;

namespace Mux.Generators.Tests.Driver;

/// <summary>An edit that changes nothing for a contract runs nothing again but the reading of symbols.</summary>
public sealed class CachingTests
{
    private const string Contract = """
        namespace Hr;
        [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id { get; set; } }
        [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask<Item> Get(Item item); System.Collections.Generic.IAsyncEnumerable<Item> Read(System.IO.Stream bytes, Mux.MuxCallOptions? options); [Mux.MuxMethod(Priority = Mux.MuxCallPriority.Low), Mux.MuxError<Item>(1)] System.Threading.Tasks.Task<Mux.MuxResult<Item>> Find(); [Mux.MuxMethod(Serializer = typeof(Mux.Serialization.Raw.RawSerializer)), Mux.MuxError<byte[]>(2)] System.Threading.Tasks.ValueTask<byte[]> Load(byte[] key); }
        """;

    private static readonly string[] s_steps = [MuxGenerator.RegistrationStep, MuxGenerator.ServicesStep, MuxGenerator.MessagesStep];

    [Fact]
    public void An_edit_in_another_file_runs_nothing_again()
    {
        AssertNothingRan(Edit(Contract, "class Other { void M() { } }", "class Other { int x; }"));
    }

    [Fact]
    public void A_line_more_above_the_contract_runs_nothing_again()
    {
        AssertNothingRan(Edit("class Other;", Contract, "// one more\n\n" + Contract));
    }

    [Fact]
    public void Types_that_are_special_as_a_whole_run_nothing_again()
    {
        const string types = """
            using ProtoBuf;
            [ProtoContract, ProtoInclude(9, typeof(Dog))] public class Animal : Extensible { [ProtoMember(1)] public Box<int>? Box { get; set; } [ProtoBeforeSerialization] private void Before(System.Type type) { } }
            [ProtoContract] public class Dog : Animal { [ProtoMember(1)] public int Age { get; set; } private bool ShouldSerializeAge() => true; private Mux.UnknownFields? Rest { get; set; } }
            [ProtoContract] public class Box<T> { [ProtoMember(1)] private (T, string)? _item; [ProtoMember(2)] public Label? Label { get; set; } }
            [ProtoContract(Surrogate = typeof(string))] public class Label { public static explicit operator string(Label label) => ""; public static explicit operator Label(string text) => new(); }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask<Animal> Get(Animal animal); }
            """;
        AssertNothingRan(Edit(GeneratorRun.ProtoBufSource, types, "// one more\n\n" + types));
    }

    [Fact]
    public void A_changed_member_of_a_message_in_another_file_runs_the_messages_again()
    {
        var message = Contract.Split('\n')[1];
        var reasons = Edit("namespace Hr;" + Contract.Split('\n')[2], "namespace Hr;" + message, "namespace Hr;" + message.Replace("Order = 1", "Order = 2", StringComparison.Ordinal));
        Assert.Contains(IncrementalStepRunReason.Modified, reasons);
    }

    [Fact]
    public void An_edit_of_one_message_emits_only_its_codec_again()
    {
        var (message, service) = (Contract.Split('\n')[1], Contract.Split('\n')[2]);
        var others = "namespace Hr;" + service + service.Replace("\"s\"", "\"t\"", StringComparison.Ordinal).Replace("IService", "IOther", StringComparison.Ordinal).Replace("Item", "Thing", StringComparison.Ordinal)
            + message.Replace("Item", "Thing", StringComparison.Ordinal);
        Assert.Equal(["Hr_Item_Codec.g.cs"], EmittedAgain(others, "namespace Hr;" + message, "namespace Hr;" + message.Replace("int Id", "int Number", StringComparison.Ordinal)));
    }

    [Fact]
    public void An_edit_of_one_contract_emits_only_its_file_again()
    {
        const string before = "[Mux.MuxService(\"t\")] public interface IOther { System.Threading.Tasks.Task Do(); }";
        Assert.Equal(["IOther_Service.g.cs"], EmittedAgain(Contract, before, before.Replace("Do()", "Do(int number, string text)", StringComparison.Ordinal)));
    }

    [Fact]
    public void Emitted_files_are_the_same_every_time()
    {
        var first = GeneratorRun.Of(Contract).GeneratedTrees.Select(static tree => tree.ToString());
        var second = GeneratorRun.Of(Contract).GeneratedTrees.Select(static tree => tree.ToString());
        Assert.Equal(first, second);
    }

    private static void AssertNothingRan(IEnumerable<IncrementalStepRunReason> reasons)
    {
        Assert.NotEmpty(reasons);
        Assert.All(reasons, static reason => Assert.True(reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged, $"{reason}"));
    }

    private static IEnumerable<IncrementalStepRunReason> Edit(string kept, string before, string after)
    {
        var result = ResultOf(kept, before, after);
        return result.TrackedSteps.Where(static step => s_steps.Contains(step.Key)).SelectMany(static step => step.Value).Concat(OutputsOf(result))
            .SelectMany(static step => step.Outputs).Select(static output => output.Reason).ToList();
    }

    // The steps of a file tell nothing of it but what they were given.
    private static IEnumerable<string> EmittedAgain(string kept, string before, string after)
    {
        return OutputsOf(ResultOf(kept, before, after))
            .Where(static step => step.Outputs.Any(static output => output.Reason is not (IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged)))
            .Select(static step => step.Inputs.Single()).Select(static input => input.Source.Outputs[input.OutputIndex].Value).Select(static value => value switch
            {
                (NamedFile<ServiceModel> file, string) => file.Name,
                (CodecFile file, string) => file.Name,
                _ => value.ToString()!,
            }).ToList();
    }

    private static IEnumerable<IncrementalGeneratorRunStep> OutputsOf(GeneratorRunResult result) => result.TrackedOutputSteps.SelectMany(static step => step.Value);

    private static GeneratorRunResult ResultOf(string kept, string before, string after)
    {
        var run = GeneratorRun.Of(kept, before);
        var old = run.Input.SyntaxTrees[1];
        var driver = run.Driver.RunGenerators(run.Input.ReplaceSyntaxTree(old, CSharpSyntaxTree.ParseText(after, path: old.FilePath)), TestContext.Current.CancellationToken);
        var result = driver.GetRunResult().Results.Single();
        Assert.Null(result.Exception);
        return result;
    }
}
