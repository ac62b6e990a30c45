using System.Collections.Concurrent;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Mux.Description.Proto;
using Mux.Description.Proto.Parsing;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Describing;
using Mux.Generators.Diagnostics;
using Mux.Generators.Importing.Emitting;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Symbols;

namespace Mux.Generators.Importing;

/// <summary>
/// Makes C# of .proto files: types and interfaces, as a user would write them. These are compiled on their own and read as contracts, by the same readers as
/// those of users, so that there is one way from a contract to its code.
/// </summary>
internal sealed class Importer
{
    private static readonly CSharpCompilationOptions s_options =
        new(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable);

    private static readonly LastMade<ImportInput, ImportedFile> s_made = new();
    private static readonly ConcurrentDictionary<string, ImportedFile> s_builtIn = new(StringComparer.Ordinal);

    private readonly List<ImportFault> _faults = [];
    private readonly ImportFiles _files;
    private readonly ImportProject _project;
    private readonly CSharpCompilation _references;
    private readonly ProtoSet _set;
    private readonly ReferencedTypes _referenced;
    private readonly CSharpNames _names;

    private Importer(EquatableArray<ImportInput> inputs, ImportProject project, CSharpCompilation references, CancellationToken cancellationToken)
    {
        _project = project;
        _files = new ImportFiles(inputs, project.Folder, _faults);
        _references = references;
        var faults = new List<ProtoFault>();
        var imports = new MissingImports(_files);
        _set = ProtoLoader.LoadAll(_files.Names.OrderBy(static name => name, StringComparer.Ordinal), Read, faults);
        foreach (var fault in faults) Report(fault, imports.Explain(fault));
        ServiceShapes.Keep(_set, _files, _faults);
        AccessCheck.Check(_set, _files, _faults);
        _referenced = new ReferencedTypes(references);
        _names = new CSharpNames(_set, _files, project, _referenced, _faults);

        string? Read(string name)
        {
            cancellationToken.ThrowIfCancellationRequested(); // an editor waits for this at each edit of a file
            return imports.Read(name);
        }
    }

    /// <param name="inputs">The files.</param>
    /// <param name="project">The project.</param>
    /// <param name="references">Assemblies that the project references. Types that one of them made of the same file are not made again.</param>
    /// <param name="cancellationToken">Cancels the work.</param>
    public static ImportModel Run(
        EquatableArray<ImportInput> inputs, ImportProject project, IEnumerable<MetadataReference> references, CancellationToken cancellationToken)
    {
        if (inputs.Count == 0) return ImportModel.Empty;
        var compilation = CSharpCompilation.Create(project.Assembly, null, references, s_options);
        return compilation.HasContracts() ? new Importer(inputs, project, compilation, cancellationToken).Run(cancellationToken)
            : ImportModel.Empty; // nothing to make contracts with
    }

    private ImportModel Run(CancellationToken cancellationToken)
    {
        var files = Emit();
        var compilation = _references.AddSyntaxTrees(ImportSteps.Parse(files, _references, CSharpParseOptions.Default, cancellationToken));

        var contracts = ImportedContracts.Read(_set, _files, _names, compilation, _faults, cancellationToken);
        var codecs = ImportedCodecs.Read(_set, _files, _names, compilation, _faults, cancellationToken);
        var services = contracts.Select(static contract => contract.Service).OfType<ServiceModel>()
            .GroupBy(static service => service.WireName, StringComparer.Ordinal)
            .ToDictionary(static same => same.Key, static same => same.First(), StringComparer.Ordinal);
        var parts = new PartReader(_set, services, name => DescriberOf(name, compilation)).Read();
        return new ImportModel(new([.. files]), new([.. contracts]), new([.. parts]), codecs, new([.. _faults]));
    }

    private List<ImportedFile> Emit()
    {
        var made = new ImportedTypes(_set, _files);
        var texts = new List<(string Name, string Text, ImportInput? Input)>();
        foreach (var file in _set.Files)
        {
            var input = _files.Find(file.Name);
            var context = new TypeContext(_names, file, input is { IsInternal: true } ? "internal" : "public");
            var text = FileEmitter.Emit(file, context, type => (type is ProtoService ? input is not null : made.Contains(type))
                && !_referenced.Contains(_names.MetadataNameOf(type.FullName), type, file, input, _faults));
            if (text is not null) texts.Add((FileNameOf(file.Name), text, input));
        }

        return [.. FileNames.Assign(texts, static file => file.Name)
            .Select(static named => Make("Imported." + named.Name, named.Model.Text, named.Model.Input))];
    }

    // The same object as before where the text is: by that, what was parsed and read of it is known to be right still.
    private static ImportedFile Make(string name, string text, ImportInput? input)
    {
        var last = input is not null ? s_made.Of(input) : s_builtIn.TryGetValue(name, out var known) ? known : null;
        if (last?.Name == name && last.Text == text) return last;
        var made = new ImportedFile(name, text);
        return input is not null ? s_made.Keep(input, made) : s_builtIn[name] = made;
    }

    // What two paths have alike without their separators is numbered.
    private static string FileNameOf(string path) => new([.. path.Select(static c => char.IsLetterOrDigit(c) || c is '.' or '-' ? c : '_')]);

    private string DescriberOf(string fullName, Compilation compilation) =>
        compilation.GetTypesByMetadataName(_names.MetadataNameOf(fullName)).FirstOrDefault() is { } type ? ImportedName.DescriberOf(type)
            : SymbolText.ToIdentifier(_names.MetadataNameOf(fullName)) + "_Description";

    private void Report(ProtoFault fault, string message)
    {
        var descriptor = fault.Severity == ProtoFaultSeverity.Error ? ImportDiagnostics.Unreadable : ImportDiagnostics.Extension;
        _faults.Add(new ImportFault(
            descriptor, _files.Find(fault.File)?.Path, fault.Position.Line, fault.Position.Column, new([fault.File, message])));
    }
}
