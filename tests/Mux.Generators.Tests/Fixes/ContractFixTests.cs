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
    private Project Project(string code)
    {
        var compilation = GeneratorRun.Compile("Sample", [], Code);
        var files = CodeContracts.Read(compilation, TestContext.Current.CancellationToken)!.ToFiles();
        var recorded = Assert.Single(ContractUpdate.Merge(files, null, null, null));
        recorded.Messages.Single(static message => message.Name == "Order").Comment = " The order.".Trim();
        var project = _workspace.AddProject(ProjectInfo.Create(
            ProjectId.CreateNewId(), VersionStamp.Create(), "Sample", "Sample", LanguageNames.CSharp,
            compilationOptions: compilation.Options, parseOptions: CSharpParseOptions.Default, metadataReferences: compilation.References));
        project = project.AddDocument("Sample.cs", SourceText.From(code), filePath: "/src/Sample.cs").Project;
        return project.AddAdditionalDocument("shop.proto", SourceText.From(ProtoPrinter.Print(recorded)), filePath: Folder + "shop.proto").Project;
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
        var document = project.GetDocument(diagnostic.Location.SourceTree)!;
        await new UpdateContractFix().RegisterCodeFixesAsync(new CodeFixContext(document, diagnostic, (action, _) => actions.Add(action), TestContext.Current.CancellationToken));
        return actions;
    }

    private static async Task<Project> ApplyAsync(Project project, string id, string title)
    {
        var action = Assert.Single(await OffersAsync(project, (await FindAsync(project)).First(diagnostic => diagnostic.Id == id)));
        Assert.Equal(title, action.Title);
        var operations = await action.GetOperationsAsync(TestContext.Current.CancellationToken);
        return Assert.Single(operations.OfType<ApplyChangesOperation>()).ChangedSolution.GetProject(project.Id)!;
    }

    private static async Task<string> TextAsync(Project project, string name)
    {
        var document = project.AdditionalDocuments.Single(document => document.FilePath == Folder + name);
        return (await document.GetTextAsync(TestContext.Current.CancellationToken)).ToString();
    }
}
