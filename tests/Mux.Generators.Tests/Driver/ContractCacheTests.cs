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
        [ProtoContract] public partial class Item { [ProtoMember(1)] public int Id { get; set; } [ProtoMember(2)] public Kind Kind { get; set; } [ProtoMember(3)] public Point Point { get; set; } public List<int> Room = new(Names.Room); public object Part = new Part(); }
        [ProtoContract] public class Reply : ReplyBase { [ProtoMember(1)] public string Text { get; set; } = ""; }
        """;

    private const string Others = """
        using ProtoBuf;
        public static class Names { public const string Service = "s"; public const int Room = 16; public static int Count() => 1; }
        public enum Kind { None, Some }
        [ProtoContract] public struct Point { [ProtoMember(1)] public int X; }
        [ProtoContract, ProtoInclude(9, typeof(Reply))] public class ReplyBase { [ProtoMember(1)] public int Code { get; set; } }
        public class Part { public long A, B; }
        public class Plain { public void Do() { int one = 1; } }
        """;

    [Theory]
    [InlineData("int one = 1;", "int one = 2; System.Console.WriteLine(one);")]
    [InlineData("public void Do()", "public void Do(int number)")]
    [InlineData("public class Plain {", "/* a comment */ public class Plain { public int Member { get; set; }")]
    [InlineData("Count() => 1", "Count() => 2")]
    public void An_edit_of_what_contracts_do_not_mention_reads_none_again(string before, string after)
    {
        // Other files declare what the contracts mention, so only what is in this file alone is not mentioned.
        var alone = $"public class Plain {{ public void Do() {{ int one = 1; }} public static int Count() => 1; }}";
        var (first, second) = Edit([Contract, Messages, Others.Replace("public class Plain", "public class Another", StringComparison.Ordinal), alone], 3, text => text.Replace(before, after, StringComparison.Ordinal));

        Assert.Equal(2, first.Count);
        Assert.All(first.Zip(second), static pair => Assert.Same(pair.First, pair.Second));
    }

    [Fact]
    public void An_edit_of_a_message_reads_the_contracts_again_that_reach_it_and_no_others()
    {
        var more = "using ProtoBuf; using System.Threading.Tasks; [ProtoContract] public class Far { [ProtoMember(1)] public int A { get; set; } } [Mux.MuxService(\"far\")] public interface IFar { ValueTask<Far> Get(); }";
        var (first, second) = Edit([Contract, Messages, Others, more], 3, static text => text.Replace("int A", "int B", StringComparison.Ordinal));

        Assert.Equal(3, first.Count);
        Assert.Equal([true, true, false], first.Zip(second).Select(static pair => ReferenceEquals(pair.First, pair.Second)));
    }

    [Theory]
    [InlineData(2, "Service = \"s\"", "Service = \"renamed\"")]
    [InlineData(2, "Room = 16", "Room = 17000")]
    [InlineData(2, "None, Some", "None, Some, More")]
    [InlineData(2, "public int X;", "public int X; [ProtoMember(2)] public long Y;")]
    [InlineData(2, "int Code", "long Code")]
    [InlineData(2, "typeof(Reply)", "typeof(Reply), DataFormat = DataFormat.Default")]
    [InlineData(2, "public long A, B;", "public long A, B, C, D, E, F, G, H;")]
    [InlineData(2, "public class Plain", "public partial class Item { [ProtoMember(7)] public int More { get; set; } } public class Plain")]
    [InlineData(2, "public class Plain", "namespace Mux { public class MuxServiceAttribute : System.Attribute { } } public class Plain")]
    [InlineData(2, "using ProtoBuf;", "global using Text = System.String; using ProtoBuf; [assembly: CompatibilityLevel(CompatibilityLevel.Level300)]")]
    [InlineData(1, "public int Id", "public long Id")]
    [InlineData(1, "string Text", "string? Text")]
    [InlineData(1, "[ProtoMember(3)]", "[ProtoMember(3, IsRequired = true)]")]
    [InlineData(0, "ValueTask<Item> Get(Item item);", "ValueTask<Item> Get(Item item); ValueTask Put(Reply reply);")]
    [InlineData(0, "[Mux.MuxKey] ", "")]
    public void After_an_edit_all_is_as_in_a_first_run(int file, string before, string after)
    {
        string[] texts = [Contract, Messages, Others];
        Assert.Contains(before, texts[file], StringComparison.Ordinal);
        var run = Run(texts);
        var tree = run.Input.SyntaxTrees[file + 1];
        var text = tree.ToString().Replace(before, after, StringComparison.Ordinal);
        var edited = run.Input.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(text, (CSharpParseOptions)tree.Options, tree.FilePath));
        var sut = run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken).GetRunResult();
        texts[file] = text;
        var fresh = Run(texts).Driver.GetRunResult();

        Assert.Equal(TextsOf(fresh), TextsOf(sut));
        Assert.Equal(fresh.Diagnostics.Select(static one => one.ToString()).Order(), sut.Diagnostics.Select(static one => one.ToString()).Order());
    }

    private static GeneratorRun Run(string[] texts) => GeneratorRun.Of([GeneratorRun.ProtoBufSource, .. texts]);

    private static IEnumerable<string> TextsOf(GeneratorDriverRunResult result) =>
        result.GeneratedTrees.Select(static tree => tree.FilePath + "\n" + tree).Order(StringComparer.Ordinal);

    /// <summary>Gets the models of the contracts before and after an edit.</summary>
    private static (List<object> First, List<object> Second) Edit(string[] texts, int file, Func<string, string> edit)
    {
        var run = Run(texts);
        var first = ReadBy(run.Driver);
        var tree = run.Input.SyntaxTrees[file + 1];
        var edited = run.Input.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(edit(tree.ToString()), (CSharpParseOptions)tree.Options, tree.FilePath));
        return (first, ReadBy(run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken)));
    }

    private static List<object> ReadBy(GeneratorDriver driver) => [.. driver.GetRunResult().Results.Single().TrackedSteps[MuxGenerator.ReadStep]
        .SelectMany(static step => step.Outputs).Select(static output => output.Value)];
}
