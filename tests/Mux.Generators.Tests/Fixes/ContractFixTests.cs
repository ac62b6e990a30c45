using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Printing;
using Mux.Generators.Analysis;
using Mux.Generators.CodeFixes;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Fixes;

/// <summary>A contract file is written anew by a fix, after which nothing is told any more.</summary>
public sealed class ContractFixTests : IDisposable
{
    private const string Folder = "/src/Contracts/";

    private const string Code = """
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        namespace shop;
        public enum Grade { None, High }
        [DataContract] public class Order
        {
            [DataMember(Order = 1)] public int Id { get; set; }
            [DataMember(Order = 2)] public string Name { get; set; } = "";
            [DataMember(Order = 3)] public Grade Rank { get; set; }
        }
        [MuxService("shop.Orders")] public interface IOrders { ValueTask<Order> Find(int id, CancellationToken token); }
        """;

    private readonly AdhocWorkspace _workspace = new();

    public void Dispose() => _workspace.Dispose();

    [Fact]
    public async Task New_parts_are_recorded()
    {
        var project = Project(Code.Replace("ValueTask<Order> Find", "ValueTask Drop(Order order, CancellationToken token); ValueTask<Order> Find", StringComparison.Ordinal));
        var after = await ApplyAsync(project, "MUX0086", "Record the contracts in their files");
        var text = await TextAsync(after, "shop.proto");
        Assert.Contains("rpc Drop(", text, StringComparison.Ordinal);
        Assert.Contains("// The order.\nmessage Order", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Accepted", text, StringComparison.Ordinal);
        Assert.Empty(await FindAsync(after));
    }

    [Fact]
    public async Task A_constant_that_a_switch_does_not_expect_is_recorded()
    {
        const string user = "public static class User { public static int Use(Grade grade) => grade switch { Grade.None => 0, Grade.High => 1 }; }";
        var project = Project((Code + user).Replace("None, High", "None, High, Highest", StringComparison.Ordinal));
        var after = await ApplyAsync(project, "MUX0079", "Record the contracts in their files");
        Assert.Contains("Grade_Highest = 2;", await TextAsync(after, "shop.proto"), StringComparison.Ordinal);
        Assert.Empty(await FindAsync(after));
    }

    [Fact]
    public async Task A_change_that_is_accepted_is_noted_and_its_number_reserved()
    {
        var project = Project(Code.Replace("[DataMember(Order = 2)]", "", StringComparison.Ordinal).Replace("None, High", "None, Highest = 2", StringComparison.Ordinal));
        Assert.Equal(["MUX0073", "MUX0079"], (await FindAsync(project)).Select(static diagnostic => diagnostic.Id).Order());
        var after = await ApplyAsync(project, "MUX0073", "Accept all changes in the contract files");
        var text = await TextAsync(after, "shop.proto");
        Assert.Contains("reserved 2;", text, StringComparison.Ordinal);
        Assert.Contains("reserved \"name\";", text, StringComparison.Ordinal);
        Assert.Contains("reserved 1;", text, StringComparison.Ordinal);
        Assert.Contains("// Accepted: in the editor; say here why (MUX0073 shop.Order.name, MUX0079 shop.Grade.Grade_High)", text, StringComparison.Ordinal);
        Assert.Empty(await FindAsync(after));
    }

    [Fact]
    public async Task A_namespace_that_is_new_gets_a_file_and_one_that_is_gone_loses_it()
    {
        var project = Project(Code.Replace("namespace shop;", "namespace store;", StringComparison.Ordinal));
        var after = await ApplyAsync(project, "MUX0086", "Record the contracts in their files");
        Assert.Contains("message Order", await TextAsync(after, "store.proto"), StringComparison.Ordinal);
        Assert.Contains("import \"store.proto\";", await TextAsync(after, "shop.proto"), StringComparison.Ordinal);
        Assert.Empty(await FindAsync(after));
    }

    [Fact]
    public async Task A_shared_file_that_is_needed_now_is_written_with_the_first_file_that_imports_it()
    {
        var project = Project(Code.Replace("public Grade Rank { get; set; }", "public Grade Rank { get; set; } [DataMember(Order = 4), MuxCompatibilityLevel(MuxCompatibilityLevel.Level200)] public System.Guid Key { get; set; }", StringComparison.Ordinal)
            .Replace("ValueTask<Order> Find", "ValueTask<System.IO.Stream> Draw(CancellationToken token); ValueTask<Order> Find", StringComparison.Ordinal));
        var after = await ApplyAsync(project, "MUX0086", "Record the contracts in their files");
        Assert.Contains("message Guid", await TextAsync(after, "bcl.proto"), StringComparison.Ordinal);
        Assert.Contains("message RawBytes", await TextAsync(after, "mux/bodies.proto"), StringComparison.Ordinal);
        Assert.Equal(["Contracts", "mux"], after.AdditionalDocuments.Single(static document => document.Name == "bodies.proto").Folders);
        Assert.Empty(await FindAsync(after));
    }

    [Fact]
    public async Task A_shared_file_that_was_needed_before_is_not_written_again()
    {
        var before = Code.Replace("public Grade Rank { get; set; }", "public System.Guid Key { get; set; }", StringComparison.Ordinal);
        var project = Project(before.Replace("ValueTask<Order> Find", "ValueTask Drop(CancellationToken token); ValueTask<Order> Find", StringComparison.Ordinal), before);
        var after = await ApplyAsync(project, "MUX0086", "Record the contracts in their files");
        Assert.Equal("shop.proto", Assert.Single(after.AdditionalDocuments).Name);
    }

    [Fact]
    public async Task A_service_that_is_gone_is_accepted_in_its_file()
    {
        const string more = "[MuxService(\"shop.Sales\")] public interface ISales { ValueTask Sell(CancellationToken token); }";
        var project = Project(Code, Code + more);
        var place = Assert.Single(await FindAsync(project));
        Assert.Equal(("MUX0070", LocationKind.ExternalFile), (place.Id, place.Location.Kind));
        var after = await ApplyAsync(project, "MUX0070", "Accept all changes in the contract files");
        var text = await TextAsync(after, "shop.proto");
        Assert.Contains("(MUX0070 shop.Sales)", text, StringComparison.Ordinal);
        Assert.DoesNotContain("service Sales", text, StringComparison.Ordinal);
        Assert.Empty(await FindAsync(after));
    }

    [Fact]
    public async Task The_last_service_that_is_gone_takes_the_file_along()
    {
        var project = Project(Code.Replace("[MuxService(\"shop.Orders\")]", "", StringComparison.Ordinal));
        Assert.Empty((await ApplyAsync(project, "MUX0070", "Accept all changes in the contract files")).AdditionalDocuments);
    }

    [Fact]
    public async Task A_fix_that_is_applied_again_writes_the_same()
    {
        var project = Project(Code.Replace("[DataMember(Order = 2)]", "", StringComparison.Ordinal));
        var action = Assert.Single(await OffersAsync(project, Assert.Single(await FindAsync(project))));
        var texts = new List<string>();
        for (int i = 0; i < 3; i++) texts.Add(await TextAsync(await ResultAsync(project, action), "shop.proto")); // editors show a preview first
        Assert.Contains("reserved 2;", texts[0], StringComparison.Ordinal);
        Assert.Single(texts.Distinct());
    }

    [Fact]
    public void Editors_offer_the_fix_in_code_and_in_contract_files() => Assert.Equal(
        [nameof(TextDocumentKind.Document), nameof(TextDocumentKind.AdditionalDocument)],
        Assert.Single(typeof(UpdateContractFix).GetCustomAttributes(typeof(ExportCodeFixProviderAttribute), inherit: false).Cast<ExportCodeFixProviderAttribute>()).DocumentKinds);

    [Fact]
    public async Task Nothing_is_offered_for_contracts_with_mistakes()
    {
        var project = Project(Code.Replace("ValueTask<Order> Find(int id, CancellationToken token);", "void Find();", StringComparison.Ordinal));
        var place = Diagnostic.Create(Mux.Generators.Diagnostics.ContractDiagnostics.Behind, Location.Create((await project.Documents.Single().GetSyntaxTreeAsync(TestContext.Current.CancellationToken))!, default));
        Assert.Empty(await OffersAsync(project, place));
    }

    [Fact]
    public void Every_page_of_a_rule_says_what_the_fix_does()
    {
        var folder = System.IO.Path.Combine(Repository.Find(), "docs", "diagnostics");
        Assert.All(new UpdateContractFix().FixableDiagnosticIds, id => Assert.Contains("**In the editor.**", File.ReadAllText(System.IO.Path.Combine(folder, id + ".md")), StringComparison.Ordinal));
    }

    // A project with the file that records the code as it was, and a comment in it.
    private Project Project(string code, string before = Code)
    {
        var compilation = GeneratorRun.Compile("Sample", [], before);
        var files = CodeContracts.Read(compilation, default, TestContext.Current.CancellationToken)!.ToFiles();
        var recorded = Assert.Single(ContractUpdate.Merge(files, null, null, null), static file => !ContractUpdate.IsShared(file.Name));
        recorded.Messages.Single(static message => message.Name == "Order").Comment = " The order.".Trim();
        var project = _workspace.AddProject(ProjectInfo.Create(
            ProjectId.CreateNewId(), VersionStamp.Create(), "Sample", "Sample", LanguageNames.CSharp,
            compilationOptions: compilation.Options, parseOptions: CSharpParseOptions.Default, metadataReferences: compilation.References));
        project = project.AddDocument("Sample.cs", SourceText.From(code), filePath: "/src/Sample.cs").Project;
        return project.AddAdditionalDocument("shop.proto", SourceText.From(ProtoPrinter.Print(recorded)), ["Contracts"], Folder + "shop.proto").Project;
    }

    private static async Task<List<Diagnostic>> FindAsync(Project project)
    {
        var compilation = await project.GetCompilationAsync(TestContext.Current.CancellationToken);
        var files = new List<AdditionalText>();
        foreach (var document in project.AdditionalDocuments) files.Add(new ContractText(document.FilePath!, (await document.GetTextAsync(TestContext.Current.CancellationToken)).ToString()));
        return [.. GeneratorRun.Of((CSharpCompilation)compilation!, null, files).Mistakes];
    }

    private static async Task<List<CodeAction>> OffersAsync(Project project, Diagnostic diagnostic)
    {
        var actions = new List<CodeAction>();
        var path = diagnostic.Location.GetLineSpan().Path;
        var document = project.GetDocument(diagnostic.Location.SourceTree) ?? project.AdditionalDocuments.Single(document => document.FilePath == path);
        await new UpdateContractFix().RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), TestContext.Current.CancellationToken));
        return actions;
    }

    private static async Task<Project> ApplyAsync(Project project, string id, string title)
    {
        var action = Assert.Single(await OffersAsync(project, (await FindAsync(project)).First(diagnostic => diagnostic.Id == id)));
        Assert.Equal(title, action.Title);
        return await ResultAsync(project, action);
    }

    private static async Task<Project> ResultAsync(Project project, CodeAction action)
    {
        var operations = await action.GetOperationsAsync(TestContext.Current.CancellationToken);
        return Assert.Single(operations.OfType<ApplyChangesOperation>()).ChangedSolution.GetProject(project.Id)!;
    }

    private static async Task<string> TextAsync(Project project, string name)
    {
        var document = project.AdditionalDocuments.Single(document => document.FilePath == Folder + name);
        return (await document.GetTextAsync(TestContext.Current.CancellationToken)).ToString();
    }
}
