using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Tests.Importing;

namespace Mux.Generators.Tests.Driver;

/// <summary>Projects that compile an older C# than generated code needs.</summary>
public sealed class OldLanguageTests
{
    private const string Contracts = """
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        namespace Old
        {
            [Mux.MuxService("a")] public interface IA { ValueTask<Item> Find(string name, int[] ids); }
            [Mux.MuxService("b")] public interface IB { ValueTask<Item> Find(Item item); }
            [DataContract] public class Item { [DataMember(Order = 1)] public string Name { get; set; } }
        }
        """;

    public static TheoryData<LanguageVersion> Older =>
        [.. Enum.GetValues<LanguageVersion>().Where(static version => version is >= LanguageVersion.CSharp7 and < LanguageVersion.CSharp13)];

    [Theory]
    [MemberData(nameof(Older))]
    public void An_older_version_is_told_once_and_nothing_is_generated(LanguageVersion version)
    {
        var (found, output) = Run(version, Contracts);
        var error = Assert.Single(found);
        Assert.Equal("MUX0096", error.Id);
        Assert.Contains($"compiles C# {version.ToDisplayString()}, ", error.GetMessage(null), StringComparison.Ordinal);
        Assert.Contains("<LangVersion>13.0</LangVersion>", error.GetMessage(null), StringComparison.Ordinal);
        Assert.Single(output.SyntaxTrees);
    }

    [Theory]
    [InlineData(LanguageVersion.CSharp13)]
    [InlineData(LanguageVersion.Latest)]
    [InlineData(LanguageVersion.Default)]
    [InlineData(LanguageVersion.Preview)]
    public void Other_versions_compile_what_is_generated(LanguageVersion version)
    {
        var (found, output) = Run(version, Contracts);
        Assert.Empty(found);
        Assert.Empty(output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static told => told.Severity == DiagnosticSeverity.Error));
    }

    [Fact]
    public void A_project_without_contracts_is_not_told()
    {
        var (found, _) = Run(LanguageVersion.CSharp8, "public class Item { }");
        Assert.Empty(found);
    }

    [Fact]
    public void Files_that_are_imported_are_left_too()
    {
        const string text = "syntax = \"proto3\"; message Item { int32 id = 1; } service Items { rpc Get(Item) returns (Item); }";
        var options = new ImportOptions([], ("ProjectDir", "/src/app/"), ("RootNamespace", "App"));
        var parsing = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.CSharp9);
        var compilation = GeneratorRun.Compile("Old", []).AddSyntaxTrees(CSharpSyntaxTree.ParseText(Contracts, parsing, cancellationToken: TestContext.Current.CancellationToken));
        CSharpGeneratorDriver.Create([new MuxGenerator().AsSourceGenerator()], [new ContractText("/src/app/a.proto", text)], parsing, options)
            .RunGeneratorsAndUpdateCompilation(compilation, out var output, out var found, TestContext.Current.CancellationToken);
        Assert.Equal("MUX0096", Assert.Single(found).Id);
        Assert.Single(output.SyntaxTrees);
    }

    private static (IReadOnlyList<Diagnostic> Found, Compilation Output) Run(LanguageVersion version, string source)
    {
        var parsing = CSharpParseOptions.Default.WithLanguageVersion(version);
        var compilation = GeneratorRun.Compile("Old", []).AddSyntaxTrees(CSharpSyntaxTree.ParseText(source, parsing));
        compilation = compilation.WithOptions(compilation.Options.WithNullableContextOptions(NullableContextOptions.Disable));
        CSharpGeneratorDriver.Create([new MuxGenerator().AsSourceGenerator()], parseOptions: parsing)
            .RunGeneratorsAndUpdateCompilation(compilation, out var output, out var found, TestContext.Current.CancellationToken);
        return ([.. found.Where(static told => told.Severity > DiagnosticSeverity.Info)], output);
    }
}
