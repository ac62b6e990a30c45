using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;
using Mux.Generators.CodeFixes;
using Mux.Generators.Tests.Driver;

namespace Mux.Generators.Tests.Fixes;

/// <summary>One project in memory, in which fixes are applied as an editor does.</summary>
internal sealed class FixScene : IDisposable
{
    private static readonly CodeFixProvider[] s_fixes = [new AddTokenFix(), new AwaitCallFix(), new PresetFix(), new AddServiceFix(), new NameMethodFix(), new NumberFieldsFix()];

    private readonly AdhocWorkspace _workspace = new();
    private readonly DocumentId _source;

    public FixScene(string source, OutputKind kind = OutputKind.DynamicallyLinkedLibrary)
    {
        var compilation = GeneratorRun.Compile("Sample", []);
        var project = _workspace.AddProject(ProjectInfo.Create(
            ProjectId.CreateNewId(), VersionStamp.Create(), "Sample", "Sample", LanguageNames.CSharp,
            compilationOptions: compilation.Options.WithOutputKind(kind), parseOptions: CSharpParseOptions.Default, metadataReferences: compilation.References));
        project = project.AddDocument("ProtoBuf.cs", SourceText.From(GeneratorRun.ProtoBufSource), filePath: "ProtoBuf.cs").Project;
        var document = project.AddDocument("Sample.cs", SourceText.From(FixCase.Usings + source), filePath: "Sample.cs");
        _source = document.Id;
        Document = document;
    }

    /// <summary>The source as it is now.</summary>
    public Document Document { get; private set; }

    /// <summary>All that there is a fix for, by the order of the source.</summary>
    public static IEnumerable<string> FixableIds => s_fixes.SelectMany(static fix => fix.FixableDiagnosticIds);

    public void Dispose() => _workspace.Dispose();

    /// <summary>What generator and analyzers tell of one id.</summary>
    public async Task<List<Diagnostic>> FindAsync(string id)
    {
        var compilation = await Document.Project.GetCompilationAsync(TestContext.Current.CancellationToken);
        var all = await AnalyzerRun.DiagnosticsOfAsync(compilation!, TestContext.Current.CancellationToken);
        return [.. all.Where(diagnostic => diagnostic.Id == id).OrderBy(static diagnostic => diagnostic.Location.SourceSpan.Start)];
    }

    /// <summary>What is offered for a diagnostic.</summary>
    public async Task<List<CodeAction>> OffersForAsync(Diagnostic diagnostic)
    {
        var actions = new List<CodeAction>();
        var document = Document.Project.Solution.GetDocument(diagnostic.Location.SourceTree); // as an editor finds it
        foreach (var fix in s_fixes.Where(fix => fix.FixableDiagnosticIds.Contains(diagnostic.Id)))
            await fix.RegisterCodeFixesAsync(new CodeFixContext(document!, diagnostic, (action, _) => actions.Add(action), TestContext.Current.CancellationToken));
        return actions;
    }

    /// <summary>Does what was offered.</summary>
    public async Task ApplyAsync(CodeAction action)
    {
        var operations = await action.GetOperationsAsync(TestContext.Current.CancellationToken);
        var solution = Assert.Single(operations.OfType<ApplyChangesOperation>()).ChangedSolution;
        Document = solution.GetDocument(_source)!;
    }

    /// <summary>Does in one go what is offered for all diagnostics of one id.</summary>
    public async Task ApplyAllAsync(string id)
    {
        var fix = s_fixes.Single(fix => fix.FixableDiagnosticIds.Contains(id));
        var found = await FindAsync(id);
        var action = (await OffersForAsync(found[0]))[0];
        var context = new FixAllContext(Document, fix, FixAllScope.Document, action.EquivalenceKey!, [id], new Found(found), TestContext.Current.CancellationToken);
        await ApplyAsync((await fix.GetFixAllProvider()!.GetFixAsync(context))!);
    }

    /// <summary>The source without what all have in common.</summary>
    public async Task<string> TextAsync()
    {
        var text = (await Document.GetTextAsync(TestContext.Current.CancellationToken)).ToString().ReplaceLineEndings("\n");
        return text[FixCase.Usings.Length..];
    }

    private sealed class Found(List<Diagnostic> diagnostics) : FixAllContext.DiagnosticProvider
    {
        public override Task<IEnumerable<Diagnostic>> GetAllDiagnosticsAsync(Project project, CancellationToken cancellationToken) => Task.FromResult<IEnumerable<Diagnostic>>(diagnostics);

        public override Task<IEnumerable<Diagnostic>> GetDocumentDiagnosticsAsync(Document document, CancellationToken cancellationToken)
        {
            return Task.FromResult(diagnostics.Where(diagnostic => diagnostic.Location.SourceTree?.FilePath == document.FilePath));
        }

        public override Task<IEnumerable<Diagnostic>> GetProjectDiagnosticsAsync(Project project, CancellationToken cancellationToken) => Task.FromResult<IEnumerable<Diagnostic>>([]);
    }
}
