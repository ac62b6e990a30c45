using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Generators.Tests.Vectors;

namespace Mux.Generators.Tests.Driver;

/// <summary>Contracts that older programs share: they compile for .NET 8 with its C# 12, and elsewhere nothing is generated.</summary>
public sealed class OlderFrameworkTests
{
    private const string Service = "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask<Page<string>> Get(); }\n";

    private static readonly CSharpParseOptions s_parsing = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.CSharp12);

    private static readonly Lazy<MetadataReference[]> s_net8 = new(LoadNet8);

    public static TheoryData<string, string> Sources => EmittedCodeTests.Sources;

    [Theory]
    [MemberData(nameof(Sources))]
    public void What_is_generated_compiles_for_net8(string what, string source)
    {
        var (found, output) = Run(s_net8.Value, GeneratorRun.ProtoBufSource, source);
        Assert.All(found, diagnostic => Assert.Contains("before .NET 9", diagnostic.GetMessage(null), StringComparison.Ordinal));
        var errors = found.IsEmpty ? Errors(output) : [];
        Assert.True(!errors.Any(), $"{what}:\n{string.Join('\n', errors)}");
    }

    [Fact]
    public void The_contracts_of_all_vectors_compile_for_net8()
    {
        var methods = Vector.All.Select(static vector => vector.Type).Distinct().Select(static (type, i) => $"ValueTask<{type}> M{i}({type} value);\n");
        var (found, output) = Run(s_net8.Value, VectorAssembly.Sources(string.Concat(methods)));
        Assert.Empty(found.Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        Assert.Empty(Errors(output));
    }

    [Theory]
    [InlineData("[DataMember(Order = 1)] private T? _item;", "MUX0017", "Page<string>._item")]
    [InlineData("[DataMember(Order = 1)] public T? Item { get; init; }", "MUX0017", "Page<string>.Item")]
    [InlineData("[DataMember(Order = 1)] public T? Item { get; set; } private bool ShouldSerializeItem() => true;", "MUX0017", "Page<string>.ShouldSerializeItem")]
    [InlineData("[DataMember(Order = 1)] public T? Item { get; set; } [OnSerializing] private void Count(StreamingContext context) { }", "MUX0017", "Page<string>.Count")]
    [InlineData("[DataMember(Order = 1)] public T? Item { get; set; } private Page() { }", "MUX0016", "Page<string>")]
    public void A_member_of_a_generic_message_must_be_accessible_before_net9(string members, string id, string name)
    {
        var source = $"using System.Runtime.Serialization;\n{Service}[DataContract] public sealed class Page<T> {{ {members} }}";
        var error = Assert.Single(Run(s_net8.Value, source).Found);
        Assert.Equal(id, error.Id);
        Assert.Contains($"'{name}'", error.GetMessage(null), StringComparison.Ordinal);
        Assert.Contains("target net9.0 or later", error.GetMessage(null), StringComparison.Ordinal);
        Assert.Empty(GeneratorRun.Of(source).Diagnostics);
    }

    [Fact]
    public void A_version_before_that_of_net8_is_told_and_nothing_is_generated()
    {
        var (found, output) = Run(CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.CSharp11), s_net8.Value, $"{Service}public class Page<T> {{ }}");
        var error = Assert.Single(found);
        Assert.Equal("MUX0096", error.Id);
        Assert.Contains("compiles C# 11.0, but what is generated for its contracts needs C# 12.0;", error.GetMessage(null), StringComparison.Ordinal);
        Assert.Single(output.SyntaxTrees);
    }

    [Fact]
    public void Nothing_is_generated_or_reported_where_only_the_attributes_are()
    {
        const string attributes = "namespace Mux { public sealed class MuxServiceAttribute(string name) : System.Attribute { public string Name => name; } }";
        var framework = s_net8.Value.Where(static reference => Path.GetFileName(reference.Display) != "Mux.Abstractions.dll").ToArray();
        var (found, output) = Run(framework, attributes, "[Mux.MuxService(\"no name\")] public interface IService { int Get(); }");
        Assert.Empty(found);
        Assert.Equal(2, output.SyntaxTrees.Count());
    }

    private static (System.Collections.Immutable.ImmutableArray<Diagnostic> Found, Compilation Output) Run(MetadataReference[] references, params string[] sources) =>
        Run(s_parsing, references, sources);

    private static (System.Collections.Immutable.ImmutableArray<Diagnostic> Found, Compilation Output) Run(
        CSharpParseOptions parsing, MetadataReference[] references, params string[] sources)
    {
        var trees = sources.Select(source => CSharpSyntaxTree.ParseText(source, parsing));
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable);
        var compilation = CSharpCompilation.Create("Older", trees, references, options);
        CSharpGeneratorDriver.Create([new MuxGenerator().AsSourceGenerator()], parseOptions: parsing)
            .RunGeneratorsAndUpdateCompilation(compilation, out var output, out var found, TestContext.Current.CancellationToken);
        return ([.. found.Where(static diagnostic => diagnostic.Severity > DiagnosticSeverity.Info)], output);
    }

    private static IEnumerable<Diagnostic> Errors(Compilation output) =>
        output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);

    // Of a project for net8.0, which lists its references where it is built to.
    private static MetadataReference[] LoadNet8()
    {
        var here = AppContext.BaseDirectory.TrimEnd(Path.DirectorySeparatorChar);
        var list = Path.Combine(here, "..", "..", "Mux.Generators.Tests.Net8", Path.GetFileName(here), "references.txt");
        return [.. File.ReadAllLines(list).Select(static path => MetadataReference.CreateFromFile(path))];
    }
}
