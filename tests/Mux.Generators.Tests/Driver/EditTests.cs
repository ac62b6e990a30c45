using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Importing;
using Mux.Generators.Messages.Emitting;
using Mux.Generators.Messages.Models;
using Mux.Generators.Tests.Importing;

namespace Mux.Generators.Tests.Driver;

/// <summary>
/// Counts what one edit does again: the contracts that are read, the models that are made, and the files that are emitted.
/// What is the same object as before was neither read nor made.
/// </summary>
public sealed class EditTests
{
    private const string Orders = """
        using System.Collections.Generic; using System.Threading.Tasks; using ProtoBuf;
        [Mux.MuxService("orders")] public interface IOrders { ValueTask<Order> Get(Line line); ValueTask<int> Count(string name, Line line); }
        [ProtoContract] public class Order { [ProtoMember(1)] public List<Line>? Lines { get; set; } [ProtoMember(2)] public Dictionary<string, int>? Totals { get; set; } }
        [ProtoContract] public class Line { [ProtoMember(1)] public int Number { get; set; } }
        """;

    private const string Stocks = """
        using System.Collections.Generic; using System.Threading.Tasks; using ProtoBuf;
        [Mux.MuxService("stocks")] public interface IStocks { ValueTask<Stock> Get(Shelf shelf); ValueTask<int> Count(string name, Shelf shelf); }
        [ProtoContract] public class Stock { [ProtoMember(1)] public Shelf? Shelf { get; set; } [ProtoMember(2)] public Dictionary<string, int>? Totals { get; set; } [ProtoMember(3)] public Part? Part { get; set; } }
        [ProtoContract] public class Shelf { [ProtoMember(1)] public int Row { get; set; } }
        [ProtoContract] public class Part { [ProtoMember(1)] public Part? Next { get; set; } [ProtoMember(2)] public Thing? Thing { get; set; } }
        [ProtoContract, ProtoInclude(5, typeof(Tool))] public class Thing { [ProtoMember(1)] public string? Name { get; set; } }
        [ProtoContract] public class Tool : Thing { [ProtoMember(1)] public int Size { get; set; } }
        [Mux.MuxService("bins")] public interface IBins { ValueTask Put(Bin bin); }
        [ProtoContract] public class Bin { [ProtoMember(1)] public string? Name { get; set; } }
        """;

    private const string Other = "class Other { int Count() => 1; } [System.Obsolete] interface IOther { }";

    private const string Baskets = """
        using System.Threading.Tasks;
        [Mux.MuxService("baskets")] public interface IBaskets { ValueTask<Basket> Get(Far.Place place); }
        [System.Runtime.Serialization.DataContract] public class Basket { [System.Runtime.Serialization.DataMember(Order = 1)] public int Number { get; set; } }
        """;

    private static readonly (string Path, string Text)[] s_files =
    [
        ("/src/app/far.proto", "syntax = \"proto3\"; package far; message Place { int32 row = 1; }"),
        ("/src/app/near.proto", "syntax = \"proto3\"; package near; message Step { int32 width = 1; } service Steps { rpc Get(Step) returns (Step); }"),
    ];

    [Theory]
    [InlineData("Count() => 1", "Count() => 2")]
    [InlineData("class Other {", "class Other { int _more;")]
    [InlineData("class Other {", "class More { } class Other {")]
    public void An_edit_of_a_file_without_contracts_reads_makes_and_emits_nothing(string before, string after)
    {
        var (first, second) = Edit(Other, before, after);

        Assert.Equal(3, Of<ContractModel>(first).Count);
        Assert.Empty(Again<ContractModel>(first, second));
        Assert.Empty(Again<MessageModel>(first, second));
        Assert.Empty(Again<ServiceModel>(first, second));
        Assert.Empty(EmittedBy(first, second));
    }

    [Theory]
    [InlineData("Count(string name", "Count(string text")]
    [InlineData("\"orders\"", "\"other.orders\"")]
    public void An_edit_of_one_contract_reads_and_makes_it_alone(string before, string after)
    {
        var (first, second) = Edit(Orders, before, after);

        Assert.Equal(["IOrders"], Again<ContractModel>(first, second).Select(static contract => contract.Name));
        Assert.Equal(["IOrders_Service"], Again<ServiceModel>(first, second).Select(static service => service.Container));
        Assert.Equal(["IOrders_Service.g.cs"], EmittedBy(first, second));
        Assert.All(Again<MessageModel>(first, second), static message => Assert.Contains(message.TypeName, Orders.Split(' ').Select(static word => "global::" + word)));
    }

    [Fact]
    public void An_edit_that_brings_a_message_emits_no_other_again()
    {
        var (first, second) = Edit(Orders, "ValueTask<int> Count", "ValueTask<long> Sum(); ValueTask<int> Count");

        Assert.Equal(["IOrders_Service.g.cs", "System_Int64_ValueCodec.g.cs"], EmittedBy(first, second));
    }

    [Fact]
    public void An_edit_that_brings_a_contract_emits_no_other_again()
    {
        var (first, second) = Edit(Orders, "[ProtoContract] public class Order", "[Mux.MuxService(\"more\")] public interface IMore { Task Do(); } [ProtoContract] public class Order");

        Assert.Equal(["IMore_Service.g.cs", "Registration.g.cs"], EmittedBy(first, second).Except(["IOrders_Service.g.cs"]).Where(static name => !name.EndsWith("_Codec.g.cs", StringComparison.Ordinal)));
        Assert.DoesNotContain(Again<ContractModel>(first, second), static contract => contract.Name is "IStocks" or "IBins");
    }

    [Theory]
    [InlineData("int Number", "long Number")]
    [InlineData("ProtoMember(1)] public int Number", "ProtoMember(7)] public int Number")]
    [InlineData("public int Number", "public string? Number")]
    public void An_edit_of_one_message_makes_those_of_other_contracts_from_nothing_new(string before, string after)
    {
        var (first, second) = Edit(Orders, before, after);

        Assert.Equal(["IOrders"], Again<ContractModel>(first, second).Select(static contract => contract.Name));
        Assert.Contains("Line_Codec.g.cs", EmittedBy(first, second));
        Assert.DoesNotContain(EmittedBy(first, second), static name => name.StartsWith("IStocks", StringComparison.Ordinal) || name.StartsWith("Shelf", StringComparison.Ordinal));
        Assert.Empty(Again<ServiceModel>(first, second).Select(static service => service.Container).Except(["IOrders_Service"]));
        var made = Again<MessageModel>(first, second).Select(static message => message.Codec);
        Assert.Empty(made.Intersect(["Stock_Codec", "Shelf_Codec", "Part_Codec", "Thing_Codec", "Tool_Codec"]));
    }

    [Fact]
    public void An_edit_of_one_of_many_messages_emits_a_fixed_part_of_them_again()
    {
        const int messages = 2_000;
        var members = string.Join('\n', Enumerable.Range(1, messages).Select(static i => $"[ProtoMember({i})] public M{i}? Member{i} {{ get; set; }}"));
        var all = string.Join('\n', Enumerable.Range(1, messages).Select(static i => $"[ProtoContract] public class M{i} {{ [ProtoMember(1)] public int Id {{ get; set; }} }}"));
        var texts = Texts($"using ProtoBuf;\n[ProtoContract] public class All\n{{\n{members}\n}}\n{all}\n[Mux.MuxService(\"all\")] public interface IAll {{ System.Threading.Tasks.ValueTask<All> Get(); }}");
        var run = GeneratorRun.Of(texts);
        var second = ResultOf(run.Driver.RunGenerators(Replace(run.Input, 1, texts[1].Replace("M7 { [ProtoMember(1)] public int Id", "M7 { [ProtoMember(1)] public int Key", StringComparison.Ordinal)), TestContext.Current.CancellationToken));

        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static one => one.Severity == DiagnosticSeverity.Error));
        Assert.InRange(ResultOf(run.Driver).GeneratedSources.Length, 2, 300);
        Assert.Equal([messages + 1, messages + 1], [Of<MessageModel>(ResultOf(run.Driver)).Count, Of<MessageModel>(second).Count]);
        Assert.Single(EmittedBy(ResultOf(run.Driver), second));
    }

    [Theory]
    [InlineData("public int Number", "public Bin? Bin")]
    [InlineData("[ProtoMember(2)] public Dictionary", "[ProtoMember(2), ProtoMap(ValueFormat = DataFormat.ZigZag)] public Dictionary")]
    [InlineData("Line", "stocks")]
    [InlineData("ValueTask<int> Count(string name, Line line);", "")]
    [InlineData("ValueTask<int>", "ValueTask<int?>")]
    [InlineData("public int Number { get; set; }", "public int Number { get; set; } = 7;")]
    public void After_an_edit_that_reaches_models_of_other_contracts_all_is_as_in_a_first_run(string before, string after)
    {
        var texts = Texts(Orders, Stocks, Other);
        var run = GeneratorRun.Of(texts);
        texts[1] = Orders.Replace(before, after, StringComparison.Ordinal);
        var sut = run.Driver.RunGenerators(Replace(run.Input, 1, texts[1]), TestContext.Current.CancellationToken);

        Assert.Equal(TextsOf(GeneratorRun.Of(texts).Driver), TextsOf(sut));
    }

    [Fact]
    public void An_edit_of_a_file_without_contracts_reads_no_contract_that_names_imported_types()
    {
        var (run, _) = Import();
        var input = run.Input.AddSyntaxTrees(CSharpSyntaxTree.ParseText(Other, path: "Other.cs", cancellationToken: TestContext.Current.CancellationToken));
        var first = ResultOf(run.Driver.RunGenerators(input, TestContext.Current.CancellationToken));
        var second = ResultOf(run.Driver.RunGenerators(Replace(input, 1, Other.Replace("=> 1", "=> 2", StringComparison.Ordinal)), TestContext.Current.CancellationToken));

        Assert.NotEmpty(Of<ContractModel>(first));
        Assert.Empty(Again<ContractModel>(first, second));
        Assert.Empty(EmittedBy(first, second));
    }

    [Fact]
    public void An_edit_of_a_contract_that_names_imported_types_imports_no_file_again()
    {
        var (run, _) = Import();
        var first = ResultOf(run.Driver);
        var second = ResultOf(run.Driver.RunGenerators(Replace(run.Input, 0, Baskets.Replace("Get(", "Find(", StringComparison.Ordinal)), TestContext.Current.CancellationToken));

        Assert.Same(ImportedBy(first), ImportedBy(second));
        Assert.Equal(["IBaskets"], Again<ContractModel>(first, second).Select(static contract => contract.Name));
        Assert.Equal(["IBaskets_Service.g.cs"], EmittedBy(first, second));
        var options = (CSharpParseOptions)run.Input.SyntaxTrees[0].Options;
        Assert.Equal(ParsedBy(first, run.Input, options), ParsedBy(second, run.Input, options));
    }

    [Fact]
    public void An_edit_of_one_imported_file_parses_and_reads_no_other()
    {
        var (run, files) = Import();
        var first = ResultOf(run.Driver);
        var edited = run.Driver.ReplaceAdditionalText(files[0], new ContractText(s_files[0].Path, s_files[0].Text.Replace("row = 1", "row = 2", StringComparison.Ordinal)));
        var second = ResultOf(edited.RunGenerators(run.Input, TestContext.Current.CancellationToken));

        var (before, after) = (ImportedBy(first), ImportedBy(second));
        Assert.NotSame(FileOf(before, "far"), FileOf(after, "far"));
        Assert.Same(FileOf(before, "near"), FileOf(after, "near"));
        Assert.Same(before.Contracts[0].Service, after.Contracts[0].Service);
        Assert.Equal(["IBaskets"], Again<ContractModel>(first, second).Select(static contract => contract.Name));
        Assert.Equal(["Far_Place_Codec.g.cs", "IBaskets_Service.g.cs", "Imported.far.proto.g.cs", "Imports.Descriptions.g.cs"], EmittedBy(first, second));
    }

    [Fact]
    public void An_edit_of_an_imported_file_that_a_contract_does_not_name_leaves_it()
    {
        var (run, files) = Import();
        var first = ResultOf(run.Driver);
        var edited = run.Driver.ReplaceAdditionalText(files[1], new ContractText(s_files[1].Path, s_files[1].Text.Replace("width = 1", "width = 2", StringComparison.Ordinal)));
        var second = ResultOf(edited.RunGenerators(run.Input, TestContext.Current.CancellationToken));

        Assert.Empty(Again<ContractModel>(first, second));
        Assert.NotSame(ImportedBy(first).Contracts[0].Service, ImportedBy(second).Contracts[0].Service);
    }

    private static (GeneratorRun Run, AdditionalText[] Files) Import()
    {
        AdditionalText[] files = [.. s_files.Select(static file => new ContractText(file.Path, file.Text))];
        var options = new ImportOptions([], ("ProjectDir", "/src/app/"), ("RootNamespace", "App"));
        return (GeneratorRun.Of(GeneratorRun.Compile("App", [], Baskets), options, files), files);
    }

    private static string[] Texts(params string[] texts) => [GeneratorRun.ProtoBufSource, .. texts];

    private static (GeneratorRunResult First, GeneratorRunResult Second) Edit(string file, string before, string after)
    {
        var texts = Texts(Orders, Stocks, Other);
        var run = GeneratorRun.Of(texts);
        Assert.Contains(before, file, StringComparison.Ordinal);
        var edited = Replace(run.Input, Array.IndexOf(texts, file), file.Replace(before, after, StringComparison.Ordinal));
        return (ResultOf(run.Driver), ResultOf(run.Driver.RunGenerators(edited, TestContext.Current.CancellationToken)));
    }

    private static CSharpCompilation Replace(CSharpCompilation compilation, int file, string text)
    {
        var tree = compilation.SyntaxTrees[file];
        return compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(text, (CSharpParseOptions)tree.Options, tree.FilePath, cancellationToken: TestContext.Current.CancellationToken));
    }

    private static GeneratorRunResult ResultOf(GeneratorDriver driver)
    {
        var result = driver.GetRunResult().Results.Single();
        Assert.Null(result.Exception);
        Assert.Empty(result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error));
        return result;
    }

    private static IEnumerable<string> TextsOf(GeneratorDriver driver) =>
        driver.GetRunResult().GeneratedTrees.Select(static tree => tree.FilePath + "\n" + tree).Order(StringComparer.Ordinal);

    /// <summary>Gets the models of a kind with which a run ended.</summary>
    private static List<T> Of<T>(GeneratorRunResult result)
        where T : class, IEquatable<T>
    {
        var values = result.TrackedSteps.Where(static step => step.Key is MuxGenerator.ReadStep or MuxGenerator.ServicesStep or MuxGenerator.MessagesStep)
            .SelectMany(static step => step.Value).SelectMany(static step => step.Outputs)
            .Where(static output => output.Reason != IncrementalStepRunReason.Removed).Select(static output => output.Value);
        return [.. values.SelectMany(static value => value is CodecFile codecs ? [.. codecs.Messages] : new[] { (value as NamedFile<ServiceModel>)?.Model ?? value }).OfType<T>()];
    }

    /// <summary>Gets those that the second run made.</summary>
    private static List<T> Again<T>(GeneratorRunResult first, GeneratorRunResult second)
        where T : class, IEquatable<T>
    {
        var known = new HashSet<T>(Of<T>(first), ReferenceEqualityComparer.Instance);
        return [.. Of<T>(second).Where(model => !known.Contains(model))];
    }

    /// <summary>Gets the names of the files whose text the second run made.</summary>
    private static IEnumerable<string> EmittedBy(GeneratorRunResult first, GeneratorRunResult second)
    {
        var known = first.GeneratedSources.Select(static source => source.SourceText).ToHashSet(ReferenceEqualityComparer.Instance);
        return second.GeneratedSources.Where(source => !known.Contains(source.SourceText)).Select(static source => source.HintName)
            .Order(StringComparer.Ordinal);
    }

    private static ImportModel ImportedBy(GeneratorRunResult result) =>
        (ImportModel)result.TrackedSteps[ImportSteps.ReadStep].Single().Outputs.Single().Value;

    private static ImportedFile FileOf(ImportModel model, string name) =>
        model.Files.Single(file => file.Name.Contains(name, StringComparison.Ordinal));

    private static List<SyntaxTree> ParsedBy(GeneratorRunResult result, Compilation compilation, CSharpParseOptions options) =>
        [.. ImportSteps.Parse(ImportedBy(result).Files, compilation, options, TestContext.Current.CancellationToken)];
}
