using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Tests.Driver;

/// <summary>Every mistake is told once, where it is, and gone when it is mended.</summary>
public sealed class DiagnosticTests
{
    public static TheoryData<DiagnosticCase> Cases => [.. ContractMistakes.All, .. MessageMistakes.All];

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_mistake_is_told_where_it_is(DiagnosticCase mistake)
    {
        var run = GeneratorRun.Of(mistake.Wrong, GeneratorRun.ProtoBufSource);
        var diagnostic = Assert.Single(run.Diagnostics);
        Assert.Equal(mistake.Id, diagnostic.Id);
        Assert.Contains(mistake.Says, diagnostic.GetMessage(null), StringComparison.Ordinal);
        Assert.Equal(mistake.Place, mistake.Wrong.Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length));
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static other => other.Severity == DiagnosticSeverity.Error));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_mistake_that_is_mended_is_not_told(DiagnosticCase mistake)
    {
        var run = GeneratorRun.Of(mistake.Right, GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Diagnostics);
        Assert.NotEmpty(run.GeneratedTrees);
        Assert.Empty(run.Output.GetDiagnostics(TestContext.Current.CancellationToken).Where(static other => other.Severity == DiagnosticSeverity.Error));
    }

    [Fact]
    public void A_mistake_in_another_assembly_is_told_at_the_method_that_reaches_it()
    {
        using var image = new MemoryStream();
        var messages = GeneratorRun.Compile(
            "Foreign", [],
            """
            using System.Runtime.Serialization;
            [DataContract] public class Item { [DataMember(Order = 1)] private int _hidden; [DataMember(Order = 2)] public int Late { get; private set; } [DataMember(Order = 3)] public System.Guid Id; }
            """);
        Assert.True(messages.Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        const string service = "[Mux.MuxService(\"s\")] public interface IService { System.Threading.Tasks.ValueTask Send(Item item); }";
        var run = GeneratorRun.Of(GeneratorRun.Compile("Home", [MetadataReference.CreateFromImage(image.ToArray())], service));

        Assert.Equal(["MUX0014", "MUX0017", "MUX0017"], run.Diagnostics.Select(static diagnostic => diagnostic.Id).Order());
        Assert.All(run.Diagnostics, static diagnostic => Assert.Equal("Send", service.Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length)));
        var all = string.Join('\n', run.Diagnostics.Select(static diagnostic => diagnostic.GetMessage(null)));
        Assert.Contains("'Item._hidden'", all, StringComparison.Ordinal);
        Assert.Contains("'Item.Late'", all, StringComparison.Ordinal);
        Assert.Contains("'Item.Id'", all, StringComparison.Ordinal);
    }

    [Fact]
    public void Two_contracts_that_reach_a_mistake_tell_it_once()
    {
        var run = GeneratorRun.Of("""
            using System.Threading.Tasks;
            [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public System.Guid Id; }
            [Mux.MuxService("a")] public interface IA { ValueTask M(Item item); ValueTask<Item> N(); }
            [Mux.MuxService("b")] public interface IB { ValueTask M(Item item); }
            """);
        Assert.Single(run.Diagnostics);
    }

    [Fact]
    public void A_contract_without_mistakes_is_generated_beside_one_with()
    {
        var run = GeneratorRun.Of("""
            [Mux.MuxService("a")] public interface IA { int M(); }
            [Mux.MuxService("b")] public interface IB { System.Threading.Tasks.ValueTask M(); }
            """);
        Assert.Equal(["IB_Service.g.cs", "Registration.g.cs"], run.GeneratedTrees.Select(static tree => Path.GetFileName(tree.FilePath)).Order());
    }

    [Fact]
    public void Every_diagnostic_has_a_case_a_page_and_a_link_to_it()
    {
        var descriptors = typeof(MuxDiagnostics).GetFields().Select(static field => field.GetValue(null)).OfType<DiagnosticDescriptor>().ToList();
        Assert.Equal(Enumerable.Range(1, descriptors.Count).Select(static i => $"MUX{i:0000}"), descriptors.Select(static descriptor => descriptor.Id));
        Assert.Equal(descriptors.Select(static descriptor => descriptor.Id), Cases.Select(static row => row.Data.Id).Distinct().Order());

        var repository = FindRepository();
        Assert.All(descriptors, descriptor =>
        {
            Assert.Equal($"docs/diagnostics/{descriptor.Id}.md", descriptor.HelpLinkUri);
            var page = File.ReadAllText(Path.Combine(repository, descriptor.HelpLinkUri));
            Assert.StartsWith($"# {descriptor.Id}: {descriptor.Title}", page, StringComparison.Ordinal);
        });
        Assert.Equal(descriptors.Count, Directory.GetFiles(Path.Combine(repository, "docs", "diagnostics"), "MUX*.md").Length);
    }

    private static string FindRepository()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Mux.sln"))) folder = Path.GetDirectoryName(folder) ?? throw new InvalidOperationException("Mux.sln is in no folder above the tests.");
        return folder;
    }
}
