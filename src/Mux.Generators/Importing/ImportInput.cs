using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Mux.Generators.Importing;

/// <summary>A .proto file from which a project makes types: an item MuxProto.</summary>
/// <param name="Path">Path on this machine.</param>
/// <param name="Text">Its content.</param>
/// <param name="Root">The folder from which its imports begin, as the project says it; null if it does not.</param>
/// <param name="Namespace">The C# namespace that the project demands; null for the one of the file.</param>
/// <param name="Access">The access to its types that the project demands, in lower case; null for public.</param>
/// <param name="Codecs">The messages that get codecs, as the project says it; null for those of contracts.</param>
internal sealed record ImportInput(
    string Path, string Text, string? Root, string? Namespace, string? Access, string? Codecs)
{
    private const string Metadata = "build_metadata.AdditionalFiles.";

    public bool IsInternal => Access == "internal";

    /// <summary>Gets a value indicating whether all messages of the file get codecs.</summary>
    public bool HasAllCodecs => string.Equals(Codecs, "All", StringComparison.OrdinalIgnoreCase);

    /// <summary>Gets a value indicating whether <see cref="Codecs"/> is nothing that is known.</summary>
    public bool HasUnknownCodecs =>
        Codecs is not null && !HasAllCodecs && !string.Equals(Codecs, "Reached", StringComparison.OrdinalIgnoreCase);

    /// <summary>Reads an additional file; null if it is none to import.</summary>
    public static ImportInput? Read(AdditionalText file, AnalyzerConfigOptionsProvider all, CancellationToken cancellationToken)
    {
        var options = all.GetOptions(file);
        if (!string.Equals(Get(options, "MuxImport"), "true", StringComparison.OrdinalIgnoreCase)) return null;
        var text = file.GetText(cancellationToken)?.ToString() ?? string.Empty;
        return new ImportInput(
            file.Path, text, Get(options, "ProtoRoot"), Get(options, "Namespace"), Get(options, "Access")?.ToLowerInvariant(),
            Get(options, "Codecs"));
    }

    private static string? Get(AnalyzerConfigOptions options, string name) =>
        options.TryGetValue(Metadata + name, out var value) && value.Trim().Length > 0 ? value.Trim() : null;
}
