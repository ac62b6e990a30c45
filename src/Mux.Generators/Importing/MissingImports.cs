using Mux.Description.Proto.Parsing;

namespace Mux.Generators.Importing;

/// <summary>Says what to do about an import that a project does not have: the reader of .proto files knows no projects.</summary>
/// <param name="files">The files of the project.</param>
internal sealed class MissingImports(ImportFiles files)
{
    private readonly HashSet<string> _missing = new(StringComparer.Ordinal);

    /// <summary>Gets the text of a file; null if the project has none of this name.</summary>
    public string? Read(string name)
    {
        if (files.Find(name) is { } input) return input.Text;
        _missing.Add(name);
        return null;
    }

    /// <summary>Gets the message of a mistake, and what to do if a file is missing.</summary>
    public string Explain(ProtoFault fault)
    {
        if (_missing.FirstOrDefault(name => fault.Message == ProtoLoader.NotThere(name)) is not { } missing) return fault.Message;
        var file = missing.Substring(missing.LastIndexOf('/') + 1);
        var similar = files.Paths.FirstOrDefault(path => path.EndsWith("/" + file, StringComparison.Ordinal));
        return similar is null
            ? $"No item MuxProto has a path that ends in '{missing}'. Add the file: <MuxProto Include=\"{missing}\" />, or a pattern such as vendor/**/*.proto."
            : $"No item MuxProto is imported as '{missing}'. The project has '{similar}': its folders, or its ProtoRoot, must be those of the import.";
    }
}
