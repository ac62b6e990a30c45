using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;
using Mux.Description.Proto;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Printing;
using Mux.Generators.Analysis;
using Mux.Generators.Importing;

namespace Mux.Generators.CodeFixes;

/// <summary>A project with contract files.</summary>
internal sealed class RecordedProject
{
    private const string Reason = "in the editor; say here why";

    private readonly Project _project;
    private readonly Dictionary<string, TextDocument> _documents;
    private readonly RecordedContracts _recorded;
    private readonly CodeContracts _code;

    private RecordedProject(Project project, Dictionary<string, TextDocument> documents, RecordedContracts recorded, CodeContracts code)
    {
        _project = project;
        _documents = documents;
        _recorded = recorded;
        _code = code;
        IsBroken = Compare(code.ToFiles()).Findings.Any(static finding => !finding.IsWarning && finding.Rule != ContractRule.Behind);
    }

    /// <summary>Gets a value indicating whether the code has changes that others notice.</summary>
    public bool IsBroken { get; }

    /// <summary>Reads the files and contracts of a project; null if it has none, or one has mistakes.</summary>
    public static async Task<RecordedProject?> ReadAsync(Project project, CancellationToken cancellationToken)
    {
        var documents = new Dictionary<string, TextDocument>(StringComparer.Ordinal);
        var files = new List<RecordedFile>();
        foreach (var document in project.AdditionalDocuments)
        {
            if (document.FilePath is not { } path || !ContractFile.Is(path)) continue;
            var text = await document.GetTextAsync(cancellationToken).ConfigureAwait(false);
            var file = new RecordedFile(ContractFile.NameOf(path), text.ToString());
            files.Add(file);
            documents[file.Name] = document;
        }

        if (RecordedContracts.Read(files, []) is not { Files.Count: > 0 } recorded) return null;
        var compilation = await project.GetCompilationAsync(cancellationToken).ConfigureAwait(false);
        if (compilation is null) return null;
        var imported = Import(project, compilation, cancellationToken);
        return CodeContracts.Read(compilation, imported.Parts, cancellationToken) is { } code
            ? new RecordedProject(project, documents, recorded, code) : null;
    }

    // Their descriptions are not in the code that the generator made of them.
    private static ImportModel Import(Project project, Compilation compilation, CancellationToken cancellationToken)
    {
        var options = project.AnalyzerOptions.AnalyzerConfigOptionsProvider;
        var inputs = project.AnalyzerOptions.AdditionalFiles.Select(file => ImportInput.Read(file, options, cancellationToken)).OfType<ImportInput>();
        var own = ImportProject.Of(compilation.AssemblyName, options.GlobalOptions);
        return Importer.Run(new([.. inputs]), own, compilation.References, cancellationToken);
    }

    /// <summary>Writes the files into a copy of the solution.</summary>
    /// <param name="isAccepted">True if the files are to say that changes were accepted.</param>
    public Solution Update(bool isAccepted)
    {
        var current = _code.ToFiles(); // the update completes it
        var files = ContractUpdate.Merge(current, _recorded, Compare(current), isAccepted ? Reason : null);
        var solution = _project.Solution;
        foreach (var file in files)
        {
            var text = SourceText.From(ProtoPrinter.Print(file));
            if (_documents.TryGetValue(file.Name, out var known)) solution = solution.WithAdditionalDocumentText(known.Id, text);
            else if (!WasWritten(file.Name)) solution = Add(solution, file.Name, text);
        }

        foreach (var gone in _recorded.Files.Where(name => files.TrueForAll(file => file.Name != name)))
            solution = solution.RemoveAdditionalDocument(_documents[gone].Id);
        return solution;
    }

    private ContractComparison Compare(ProtoSet current) => ContractComparison.Of(
        _recorded.Set, _recorded.Services, current, ContractSettings.Read(_project.AnalyzerOptions.AnalyzerConfigOptionsProvider.GlobalOptions).Level);

    // A shared file that was imported before is in the folder, though the project may not list it.
    private bool WasWritten(string name) => ContractUpdate.IsShared(name) && _recorded.Set.Files.Exists(file => file.Name == name);

    private Solution Add(Solution solution, string name, SourceText text)
    {
        var sample = _documents[_recorded.Files.First()];
        var (path, known) = (sample.FilePath!, ContractFile.NameOf(sample.FilePath!));
        var folders = sample.Folders.Take(sample.Folders.Count - Depth(known)).Concat(name.Split('/').Take(Depth(name)));
        var folder = path.Substring(0, path.Length - known.Length);
        return solution.AddAdditionalDocument(DocumentId.CreateNewId(_project.Id), name.Substring(name.LastIndexOf('/') + 1), text, folders, folder + name);

        static int Depth(string name) => name.Count(static c => c == '/');
    }
}
