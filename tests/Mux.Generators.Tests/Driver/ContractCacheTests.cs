using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Mux.Generators.Tests.Driver;

/// <summary>Contracts are read again after the edits that matter to them, and after no others.</summary>
public sealed class ContractCacheTests
{
    private const string Contract = """
        using System;
        using System.Threading.Tasks;
        using ProtoBuf;
        [Mux.MuxService(Names.Service)] public interface IService { ValueTask<Reply> Get(Item item, [Mux.MuxKey] int key); }
        [Mux.MuxService("other")] public interface IOther { ValueTask<Item> Get(Item item); }
        """;

    private const string Messages = """
        using System.Collections.Generic;
        using ProtoBuf;
        [ProtoContract] public partial class Item { [ProtoMember(1)] public int Id { get; set; } [ProtoMember(2)] public Kind Kind { get; set; } [ProtoMember(3)] public Point Point { get; set; } [ProtoMember(4)] public Held Held { get; set; } = new(); } [ProtoContract] public class Held { [ProtoMember(1)] public int Id { get; set; } private List<int> _room = new(Names.Room); private object _part = new Part(); }
        [ProtoContract] public class Reply : ReplyBase { [ProtoMember(1)] public string Text { get; set; } = ""; }
        """;

    // Each in a file of its own: what is in the file of a message is read again with it.
    private static readonly string[] s_files =
    [
        Contract,
        Messages,
        "using static Numbers; public static class Names { public const string Service = \"s\"; public const int Room = Rooms; public static int Count() => 1; }",
        "public static class Numbers { public const int Rooms = 16; } public static class MoreNumbers { public const int Rooms = 17; }",
        "public enum Kind { None, Some }",
        "using ProtoBuf; [ProtoContract] public struct Point { [ProtoMember(1)] public int X; }",
        "using ProtoBuf; [ProtoContract, ProtoInclude(9, typeof(Reply))] public class ReplyBase { [ProtoMember(1)] public int Code { get; set; } }",
        "public class Part { public long A, B; public Block Block; }",
        "public struct Block { public long A; }",
        "public class Plain { public void Do() { int one = 1; } public int Count() => 1; }",
    ];

    [Theory]
    [InlineData("int one = 1;", "int one = 2; System.Console.WriteLine(one);")]
    [InlineData("public void Do()", "public void Do(int number)")]
    [InlineData("public class Plain {", "/* a comment */ public class Plain { public int Member { get; set; }")]
    [InlineData("public static int Count() => 1", "public static int Count() => 2")]
    [InlineData("public int Count() => 1", "public int Count() => 2")]
    [InlineData("public class Plain {", "public class More { } public class Plain {")]
    [InlineData("public class Plain {", "public interface IMore { } public class Plain : IMore {")]
    [InlineData("public class Plain {", "public class Plain { public const int Many = 7;")]
    [InlineData("public class Plain {", "public enum Colors { Red } public class Plain {")]
    public void An_edit_of_what_contracts_do_not_mention_reads_none_again(string before, string after)
    {
        var (first, second) = Edit(s_files, before, after);

        Assert.Equal(2, first.Count);
        Assert.All(first.Zip(second), static pair => Assert.Same(pair.First, pair.Second));
    }

    [Fact]
    public void An_edit_of_a_message_reads_the_contracts_again_that_reach_it_and_no_others()
    {
        var more = "using ProtoBuf; using System.Threading.Tasks; [ProtoContract] public class Far { [ProtoMember(1)] public int A { get; set; } } [Mux.MuxService(\"far\")] public interface IFar { ValueTask<Far> Get(); }";
        var (first, second) = Edit([.. s_files, more], "int A ", "int B ");

        Assert.Equal(3, first.Count);
        Assert.Equal([true, true, false], first.Zip(second).Select(static pair => ReferenceEquals(pair.First, pair.Second)));
    }

    [Fact]
    public void Messages_of_a_project_that_is_referenced_by_its_compilation_let_contracts_be_kept()
    {
        var shared = GeneratorRun.Compile("Shared", [], GeneratorRun.ProtoBufSource.Replace("internal ", "public ", StringComparison.Ordinal), "[ProtoBuf.ProtoContract] public class Far { [ProtoBuf.ProtoMember(1)] public int A { get; set; } }");
        var run = GeneratorRun.Of(GeneratorRun.Compile("Sample", [shared.ToMetadataReference()], "[Mux.MuxService(\"far\")] public interface IFar { System.Threading.Tasks.ValueTask<Far> Get(); }", "class Other;"));
        var first = ReadBy(run.Driver);
        var tree = run.Input.SyntaxTrees[1];
        var edited = run.Input.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText("class Other; // edited", (CSharpParseOptions)tree.Options, tree.FilePath, cancellationToken: TestContext.Current.CancellationToken));

        Assert.Same(Assert.Single(first), Assert.Single(ReadBy(run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken))));
    }

    [Theory]
    [InlineData("Service = \"s\"", "Service = \"renamed\"")]
    [InlineData("Rooms = 16", "Rooms = 17000")]
    [InlineData("using static Numbers;", "using static MoreNumbers;")]
    [InlineData("None, Some", "None, Some, More")]
    [InlineData("public int X;", "public int X; [ProtoMember(2)] public long Y;")]
    [InlineData("int Code", "long Code")]
    [InlineData("typeof(Reply)", "typeof(Reply), DataFormat = DataFormat.Default")]
    [InlineData("public long A, B;", "public long A, B, C, D, E, F, G, H;")]
    [InlineData("public long A; }", "public long A, B, C, D, E, F, G, H; }")]
    [InlineData("public class Plain {", "[ProtoBuf.ProtoContract] public partial class Item { [ProtoBuf.ProtoMember(7)] public int More { get; set; } } public class Plain {")]
    [InlineData("public class Plain {", "namespace Mux { public class MuxServiceAttribute : System.Attribute { } } public class Plain {")]
    [InlineData("public class Plain {", "public class ValueTask<T> { } public class Plain {")]
    [InlineData("public class Plain {", "namespace System { public class Marker { } } public class Plain {")]
    [InlineData("public class Plain {", "public class MuxServiceAttribute : System.Attribute { } public class Plain {")]
    [InlineData("public class Plain {", "namespace ProtoBuf { public class ProtoMemberAttribute : System.Attribute { } } public class Plain {")]
    [InlineData("public class Plain {", "[assembly: ProtoBuf.CompatibilityLevel(ProtoBuf.CompatibilityLevel.Level300)] public class Plain {")]
    [InlineData("public class Plain {", "global using Kind = System.DayOfWeek; public class Plain {")]
    [InlineData("public int Id", "public System.Guid Id")]
    [InlineData("string Text", "string? Text")]
    [InlineData("[ProtoMember(3)]", "[ProtoMember(3, IsRequired = true)]")]
    [InlineData("ValueTask<Item> Get(Item item);", "ValueTask<Item> Get(Item item); ValueTask Put(Reply reply);")]
    [InlineData("[Mux.MuxKey] ", "")]
    [InlineData("using static Numbers;", "using static MoreNumbers; using System;")]
    public void After_an_edit_all_is_as_in_a_first_run(string before, string after)
    {
        var run = Run(s_files);
        var (edited, texts) = Change(run.Input, s_files, before, after);
        var sut = run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken).GetRunResult();
        var fresh = Run(texts).Driver.GetRunResult();

        Assert.Equal(TextsOf(fresh), TextsOf(sut));
        Assert.Equal(fresh.Diagnostics.Select(static one => one.ToString()).Order(), sut.Diagnostics.Select(static one => one.ToString()).Order());
    }

    private static GeneratorRun Run(string[] texts) => GeneratorRun.Of([GeneratorRun.ProtoBufSource, .. texts]);

    private static IEnumerable<string> TextsOf(GeneratorDriverRunResult result) =>
        result.GeneratedTrees.Select(static tree => tree.FilePath + "\n" + tree).Order(StringComparer.Ordinal);

    /// <summary>Gets the models of the contracts before and after an edit.</summary>
    private static (List<object> First, List<object> Second) Edit(string[] texts, string before, string after)
    {
        var run = Run(texts);
        var first = ReadBy(run.Driver);
        return (first, ReadBy(run.Driver.RunGenerators(Change(run.Input, texts, before, after).Edited, TestContext.Current.CancellationToken)));
    }

    /// <summary>Edits the file that has a text, and leaves the objects of the others.</summary>
    private static (Compilation Edited, string[] Texts) Change(Compilation whole, string[] texts, string before, string after)
    {
        int file = Array.FindIndex(texts, text => text.Contains(before, StringComparison.Ordinal));
        var tree = whole.SyntaxTrees.ElementAt(file + 1);
        var text = texts[file].Replace(before, after, StringComparison.Ordinal);
        var edited = whole.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(text, (CSharpParseOptions)tree.Options, tree.FilePath));
        return (edited, [.. texts[..file], text, .. texts[(file + 1)..]]);
    }

    private static List<object> ReadBy(GeneratorDriver driver) => [.. driver.GetRunResult().Results.Single().TrackedSteps[MuxGenerator.ReadStep]
        .SelectMany(static step => step.Outputs).Select(static output => output.Value)];
}
