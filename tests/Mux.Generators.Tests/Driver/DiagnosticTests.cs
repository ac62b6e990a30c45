using System.Reflection;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Reading;

namespace Mux.Generators.Tests.Driver;

/// <summary>Every mistake is told once, where it is, and gone when it is mended.</summary>
public sealed partial class DiagnosticTests
{
    public static TheoryData<DiagnosticCase> Cases => [.. ContractMistakes.All, .. MessageMistakes.All, .. TypeMistakes.All, .. TypeHints.All, .. StreamMistakes.All, .. SerializerMistakes.All, .. KeyMistakes.All, .. OrderMistakes.All, .. CallbackMistakes.All, .. BatchMistakes.All];

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_mistake_is_told_where_it_is(DiagnosticCase mistake)
    {
        var run = GeneratorRun.Of(mistake.Wrong, GeneratorRun.ProtoBufSource);
        var diagnostic = Assert.Single(run.Diagnostics, told => told.Id == mistake.Id);
        Assert.Equal([diagnostic], run.Diagnostics.Where(told => told.Id == mistake.Id || told.Severity > DiagnosticSeverity.Info));
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
        Assert.Empty(run.Diagnostics.Where(told => told.Id == mistake.Id || told.Severity > DiagnosticSeverity.Info));
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
            [DataContract] public class Item { [DataMember(Order = 1)] private int _hidden; [DataMember(Order = 2)] public int Late { get; private set; } [DataMember(Order = 3)] public System.Version? Id; }
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
    public void A_mistake_in_an_interface_of_another_assembly_is_told_at_the_contract_that_inherits_it()
    {
        var foreign = GeneratorRun.Compile("Foreign", [], "public interface IBase<T> { int Size { get; } T Get(System.Guid id); System.Threading.Tasks.ValueTask<T> Find(); }");
        const string service = "[Mux.MuxService(\"s\")] public interface IService : IBase<object> { }";
        var run = GeneratorRun.Of(GeneratorRun.Compile("Home", [foreign.ToMetadataReference()], service));

        Assert.Equal(["MUX0005", "MUX0007", "MUX0014"], run.Diagnostics.Select(static diagnostic => diagnostic.Id).Order());
        Assert.All(run.Diagnostics, static diagnostic => Assert.Equal("IService", service.Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length)));
    }

    [Fact]
    public void Two_contracts_that_reach_a_mistake_tell_it_once()
    {
        var run = GeneratorRun.Of("""
            using System.Threading.Tasks;
            [System.Runtime.Serialization.DataContract] public class Item { [System.Runtime.Serialization.DataMember(Order = 1)] public System.Version? Id; }
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
        var descriptors = DescriptorsOf(typeof(MuxDiagnostics)).Concat(DescriptorsOf(typeof(CallbackDiagnostics))).Concat(DescriptorsOf(typeof(AnalyzerDiagnostics))).Concat(DescriptorsOf(typeof(OrderDiagnostics))).Concat(DescriptorsOf(typeof(ContractDiagnostics))).Concat(DescriptorsOf(typeof(ImportDiagnostics))).Concat(DescriptorsOf(typeof(GenerationDiagnostics))).ToList();
        Assert.Equal(descriptors.Select(static descriptor => descriptor.Id).Distinct().Order(), descriptors.Select(static descriptor => descriptor.Id).Order());
        var ofProjects = new[] { MuxDiagnostics.ReferenceAssembly.Id, GenerationDiagnostics.OldLanguage.Id }; // in ForeignMessageTests and in OldLanguageTests
        var ofFiles = DescriptorsOf(typeof(ContractDiagnostics)).Concat(DescriptorsOf(typeof(ImportDiagnostics))).Select(static descriptor => descriptor.Id); // in ContractFileTests and in Importing
        Assert.Equal(
            descriptors.Select(static descriptor => descriptor.Id).Order(),
            Cases.Concat(AnalyzerTests.Cases).Select(static row => row.Data.Id).Distinct().Concat(ofProjects).Concat(ofFiles).Order());

        var repository = Repository.Find();
        Assert.All(descriptors, descriptor =>
        {
            Assert.Equal($"{HelpPages.Address}{descriptor.Id}.md", descriptor.HelpLinkUri);
            var page = File.ReadAllText(Path.Combine(repository, "docs", "diagnostics", $"{descriptor.Id}.md"));
            Assert.StartsWith($"# {descriptor.Id}: {descriptor.Title}", page, StringComparison.Ordinal);
        });
        Assert.Equal(descriptors.Count, Directory.GetFiles(Path.Combine(repository, "docs", "diagnostics"), "MUX*.md").Length);
    }

    [Fact]
    public void The_index_lists_every_diagnostic_with_its_severity_and_title()
    {
        var expected = DescriptorsOf(typeof(MuxDiagnostics)).Concat(DescriptorsOf(typeof(CallbackDiagnostics))).Concat(DescriptorsOf(typeof(AnalyzerDiagnostics))).Concat(DescriptorsOf(typeof(OrderDiagnostics))).Concat(DescriptorsOf(typeof(ContractDiagnostics))).Concat(DescriptorsOf(typeof(ImportDiagnostics))).Concat(DescriptorsOf(typeof(GenerationDiagnostics))).OrderBy(static descriptor => descriptor.Id, StringComparer.Ordinal)
            .Select(static descriptor => $"| [{descriptor.Id}]({descriptor.Id}.md) | {descriptor.DefaultSeverity.ToString().ToLowerInvariant()} | {descriptor.Title} |");
        var index = File.ReadLines(Path.Combine(Repository.Find(), "docs", "diagnostics", "README.md"));
        Assert.Equal(expected, index.Where(static line => line.StartsWith("| [MUX", StringComparison.Ordinal)));
    }

    [Fact]
    public void A_link_leads_to_the_web_or_to_the_page_in_the_package_of_this_version()
    {
        var version = typeof(MuxGenerator).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];
        var link = MuxDiagnostics.ServiceName.HelpLinkUri;
        if (!link.StartsWith("https://", StringComparison.Ordinal)) Assert.Equal($"mux.abstractions/{version.ToLowerInvariant()}/docs/diagnostics/MUX0001.md", link);
        Assert.EndsWith("/MUX0001.md", link, StringComparison.Ordinal);
    }

    [Fact]
    public void No_page_leads_out_of_the_folder_that_the_package_contains()
    {
        foreach (var page in Directory.GetFiles(Path.Combine(Repository.Find(), "docs", "diagnostics"), "*.md"))
        {
            Assert.All(Link().Matches(File.ReadAllText(page)), link => Assert.True(File.Exists(Path.Combine(Path.GetDirectoryName(page)!, link.Groups[1].Value)), $"{Path.GetFileName(page)}: {link.Value}"));
            Assert.DoesNotContain("](../", File.ReadAllText(page), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_warning_can_be_turned_off_where_it_is()
    {
        const string source = """
            using System.Runtime.Serialization;
            #pragma warning disable MUX0027
            [DataContract] public class Item { [DataMember] public int Id { get; set; } }
            #pragma warning restore MUX0027
            [Mux.MuxService("s")] public interface IService { System.Threading.Tasks.ValueTask M(Item item); }
            """;
        Assert.Empty(GeneratorRun.Of(source).Diagnostics.Where(static diagnostic => !diagnostic.IsSuppressed));
        Assert.Single(GeneratorRun.Of(source.Replace("#pragma warning disable MUX0027", string.Empty, StringComparison.Ordinal)).Diagnostics);
    }

    [Fact]
    public void The_range_of_field_numbers_that_is_told_is_the_one_that_is_taken() =>
        Assert.EndsWith($" 1 to {FieldNumber.Max}", MuxDiagnostics.FieldNumber.MessageFormat.ToString(null), StringComparison.Ordinal);

    [GeneratedRegex(@"\]\(([^)#]+)[^)]*\)")]
    private static partial Regex Link();

    private static IEnumerable<DiagnosticDescriptor> DescriptorsOf(Type type) => type.GetFields().Select(static field => field.GetValue(null)).OfType<DiagnosticDescriptor>();
}
