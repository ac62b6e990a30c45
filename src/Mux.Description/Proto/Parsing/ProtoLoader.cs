using Mux.Description.Proto.Parsing.Grammar;
using Mux.Description.Proto.Parsing.Linking;
using Mux.Description.Proto.Parsing.Options;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing;

/// <summary>
/// Reads a file of protobuf with those that it imports. The text may come from strangers: it has limits, and its faults are reported, not thrown.
/// </summary>
internal sealed class ProtoLoader
{
    private const int ShownFiles = 8; // of a circle

    private static readonly Lazy<OptionSchema> s_schema = new(ReadSchema);

    private readonly Func<string, string?> _readFile;
    private readonly FaultList _faults;
    private readonly ParseBudget _budget = new();
    private readonly ProtoLinker _linker;
    private readonly Dictionary<string, ParsedFile?> _files = new(StringComparer.Ordinal);
    private readonly List<string> _open = [];
    private readonly HashSet<string> _isOpen = new(StringComparer.Ordinal);
    private bool _hasRoot = true; // whose imports are to be used
    private long _characters;

    private ProtoLoader(Func<string, string?> readFile, FaultList faults, OptionSchema? schema)
    {
        _readFile = readFile;
        _faults = faults;
        _linker = new ProtoLinker(schema);
    }

    /// <param name="rootFile">The path of the file.</param>
    /// <param name="readFile">Returns the text of a file; null for those it does not know, of which protobuf's and Mux's are built in.</param>
    /// <param name="faults">Gets the mistakes, not more than 1,000.</param>
    /// <returns>The files, each after those that it imports; null if there is an error.</returns>
    public static ProtoSet? Load(string rootFile, Func<string, string?> readFile, List<ProtoFault> faults)
    {
        var list = new FaultList(faults);
        var loader = new ProtoLoader(readFile, list, s_schema.Value);
        loader.Load(rootFile, default, null);
        return list.HasErrors ? null : loader._linker.Set;
    }

    /// <summary>Reads several files, which may import each other.</summary>
    /// <inheritdoc cref="Load(string, Func{string, string?}, List{ProtoFault})"/>
    /// <returns>Those without errors, and those that they import: each file after those that it imports.</returns>
    public static ProtoSet LoadAll(IEnumerable<string> rootFiles, Func<string, string?> readFile, List<ProtoFault> faults)
    {
        var loader = new ProtoLoader(readFile, new FaultList(faults), s_schema.Value) { _hasRoot = false };
        foreach (var file in rootFiles) loader.Load(file, default, null);
        return loader._linker.Set;
    }

    /// <summary>Gets the message about a file that is missing.</summary>
    public static string NotThere(string name) => $"The file '{name}' was not found.";

    private static OptionSchema ReadSchema()
    {
        var faults = new List<ProtoFault>();
        var loader = new ProtoLoader(static _ => null, new FaultList(faults), null);
        var file = loader.Load("google/protobuf/descriptor.proto", default, null);
        return new OptionSchema(file ?? throw new InvalidOperationException($"The file that is built in has mistakes: {string.Join("; ", faults)}"));
    }

    /// <returns>The file; null if it is missing or has errors, which have been reported.</returns>
    private ParsedFile? Load(string name, ProtoPosition position, FileFaults? importer)
    {
        if (_files.TryGetValue(name, out var known)) return known;
        if (!ProtoPaths.IsValid(name)) return Fail($"The path is not valid: {ProtoPaths.Allowed}.");
        if (_isOpen.Contains(name)) return Fail($"The imports are a circle: {Circle(_open.IndexOf(name))} -> {name}.");
        if (_files.Count + _open.Count >= ProtoLimits.Files) return Fail($"There are more than {ProtoLimits.Files} files.");
        if ((_readFile(name) ?? BuiltInFiles.Read(name)) is not { } text) return Fail(NotThere(name));
        _characters += text.Length;
        if (text.Length > ProtoLimits.FileCharacters) return Fail($"The file '{name}' has {text.Length} characters; allowed are {ProtoLimits.FileCharacters}.");
        if (_characters > ProtoLimits.AllCharacters) return Fail($"The files have more than {ProtoLimits.AllCharacters} characters.");

        _open.Add(name);
        _isOpen.Add(name);
        var file = Read(name, text, isRoot: _hasRoot && importer is null);
        _open.RemoveAt(_open.Count - 1);
        _isOpen.Remove(name);
        return _files[name] = file;

        ParsedFile? Fail(string problem)
        {
            (importer ?? new FileFaults(_faults, name)).Error(position, problem);
            return _files.ContainsKey(name) || _isOpen.Contains(name) ? null : _files[name] = null;
        }
    }

    // Circles of hostile files are long, and each of their imports closes one.
    private string Circle(int first) => _open.Count - first <= ShownFiles
        ? string.Join(" -> ", _open.Skip(first))
        : $"{_open[first]} -> ... -> {_open[_open.Count - 1]}";

    private ParsedFile? Read(string name, string text, bool isRoot)
    {
        var file = ProtoParser.Parse(name, text, new FileFaults(_faults, name), _budget);
        var seen = new HashSet<string>(StringComparer.Ordinal);
        bool hasImports = true;
        foreach (var import in file.Model.Imports)
        {
            if (!seen.Add(import.Name)) file.Faults.Error(import.Position, $"'{import.Name}' is imported twice.");
            else if (Load(import.Name, import.Position, file.Faults) is { } imported) file.Imports.Add(imported);
            else hasImports = false;
        }

        return hasImports && !file.Faults.HasErrors && _linker.Link(file, isRoot) ? file : null;
    }
}
