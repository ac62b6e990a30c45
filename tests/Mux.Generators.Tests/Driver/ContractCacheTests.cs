using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Tests.Importing;

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
    [InlineData("public class Plain {", "public struct Pair { public int Id; public string Text; } public class Plain {")]
    [InlineData("public class Plain {", "public class Plain { public const int Many = Numbers.Rooms;")]
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
        AssertIsAsInAFirstRun(s_files, before, after, isChanged: false);
    }

    [Theory]
    [InlineData("global using static Shop.Limits;", "Inner.Number")]
    [InlineData("global using static global::Shop.Limits;", "Inner.Number")]
    [InlineData("global using static Shop.Limits; global using Bounds = Shop.Limits.Inner;", "Bounds.Number")]
    [InlineData("global using Bounds = Shop.Limits;", "Bounds.Number")]
    [InlineData("global using Bounds = Shop.Limits.Inner;", "Bounds.Number")]
    [InlineData("global using Bounds = Shop.Box<Shop.Limits>;", "Bounds.Number")]
    [InlineData("global using Bounds = Shop.Limits; class Far { public const int Many = Bounds.Number; }", "Far.Many")]
    [InlineData("global using static Shop.Limits; class Far { public const int Many = Inner.Number; }", "Far.Many")]
    [InlineData("global using Shop;", "Limits.Number")]
    [InlineData("global using Shop;", "Limits.Inner.Number")]
    [InlineData("using static Shop.Limits; class Far { public const int Many = Inner.Number; }", "Far.Many")]
    [InlineData("using Bounds = Shop.Limits; class Far { public const int Many = Bounds.Number; }", "Far.Many")]
    [InlineData("namespace Near { using static Shop.Limits; class Far { public const int Many = Inner.Number; } }", "Near.Far.Many")]
    [InlineData("namespace Near.By; using Bounds = Shop.Limits; class Far { public const int Many = Bounds.Number; }", "Near.By.Far.Many")]
    [InlineData("using static Shop.Limits; enum Far { Many = Inner.Number }", "(int)Far.Many")]
    public void A_number_is_read_again_after_an_edit_of_what_a_using_in_another_file_leads_to(string usings, string number)
    {
        string[] files =
        [
            usings,
            "class Old { public const int Number = 1; } class New { public const int Number = 2; }",
            "namespace Shop { class Limits : Old { public class Inner : Old { } } class Box<T> : Old { } }",
            $$"""
            [ProtoBuf.ProtoContract] public class Order { [ProtoBuf.ProtoMember({{number}})] public int Id { get; set; } }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask Put(Order order); }
            """,
        ];

        AssertIsAsInAFirstRun(files, ": Old", ": New");
    }

    [Theory]
    [InlineData("using static Shop.Limits; [assembly: ProtoBuf.CompatibilityLevel(Inner.Level)]")]
    [InlineData("using Bounds = Shop.Limits; [assembly: ProtoBuf.CompatibilityLevel(Bounds.Level)]")]
    [InlineData("[module: ProtoBuf.CompatibilityLevel(Shop.Limits.Level)]")]
    public void A_level_is_read_again_after_an_edit_of_what_an_attribute_of_the_assembly_leads_to(string attribute)
    {
        const string Level = "public const ProtoBuf.CompatibilityLevel Level = ProtoBuf.CompatibilityLevel.Level";
        string[] files =
        [
            attribute,
            $"class Old {{ {Level}200; }} class New {{ {Level}300; }}",
            "namespace Shop { class Limits : Old { public class Inner : Old { } } }",
            """
            [ProtoBuf.ProtoContract] public class Order { [ProtoBuf.ProtoMember(1)] public System.Guid Id { get; set; } }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask Put(Order order); }
            """,
        ];

        AssertIsAsInAFirstRun(files, ": Old", ": New");
    }

    [Theory]
    [InlineData("global using static Shop.Limits;")]
    [InlineData("global using Bounds = Shop.Limits;")]
    [InlineData("using System.Reflection; [assembly: AssemblyMetadata(nameof(Shop.Limits), \"Plain\")]")]
    public void An_edit_of_what_no_global_using_leads_to_reads_no_contract_again(string usings)
    {
        string[] files = [usings, "namespace Shop { class Limits { } }", .. s_files];
        var (first, second) = Edit(files, "public class Plain {", "public interface IMore { } public class Plain : IMore { public const int Many = 7;");

        Assert.Equal(2, first.Count);
        Assert.All(first.Zip(second), static pair => Assert.Same(pair.First, pair.Second));
    }

    [Theory]
    [InlineData("\"Shop.Part\"")]
    [InlineData("@\"Shop.Part\"")]
    [InlineData("\"\"\"Shop.Part\"\"\"")]
    [InlineData("\"\"\"\n  Shop.Part\n  \"\"\"")]
    [InlineData("$\"Shop.Part\"")]
    [InlineData("$\"\"\"Shop.Part\"\"\"")]
    [InlineData("\"Shop.\" + \"Pa\" + \"rt\"")]
    [InlineData("\"\\u0053hop.Part, Sample\"")]
    [InlineData("Far.Name")]
    public void A_type_that_is_named_by_a_text_is_read_again(string name)
    {
        string[] files =
        [
            "namespace Shop { class Part { } }",
            "static class Far { public const string Name = \"Shop.P\" + Rest; const string Rest = \"art\"; }",
            $$"""
            [ProtoBuf.ProtoContract, ProtoBuf.ProtoInclude(2, {{name}})] public class Order { [ProtoBuf.ProtoMember(1)] public int Id { get; set; } }
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask<App.Made> Put(Order order); }
            """,
        ];

        AssertIsAsInAFirstRun(files, "class Part { }", "[ProtoBuf.ProtoContract] public class Part : Order { }");
    }

    // Contracts that name the imported type are read twice.
    private static GeneratorRun Run(string[] texts) => GeneratorRun.Of(
        GeneratorRun.Compile("Sample", [], [GeneratorRun.ProtoBufSource, .. texts]),
        new ImportOptions([], ("ProjectDir", "/app/"), ("RootNamespace", "App")),
        [new ContractText("/app/made.proto", "syntax = \"proto3\"; package app; message Made { int32 id = 1; }")]);

    private static void AssertIsAsInAFirstRun(string[] files, string before, string after, bool isChanged = true)
    {
        var run = Run(files);
        var (edited, texts) = Change(run.Input, files, before, after);
        var sut = run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken).GetRunResult();
        var fresh = Run(texts).Driver.GetRunResult();

        Assert.Equal(TextsOf(fresh), TextsOf(sut));
        if (isChanged) Assert.NotEqual(TextsOf(run.Driver.GetRunResult()), TextsOf(fresh));
        Assert.Equal(fresh.Diagnostics.Select(static one => one.ToString()).Order(), sut.Diagnostics.Select(static one => one.ToString()).Order());
    }

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
