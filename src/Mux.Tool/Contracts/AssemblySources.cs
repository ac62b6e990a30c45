using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Security.Cryptography;

namespace Mux.Tool.Contracts;

/// <summary>
/// Tells an assembly that is older than its sources. Its debug information has their paths and hashes; so a file that
/// was only touched, or checked out anew, counts as the same.
/// </summary>
internal static class AssemblySources
{
    private static readonly Guid s_sha256 = new("8829d00f-11b8-4213-878b-770e8597ac16");
    private static readonly Guid s_sha1 = new("ff1816ec-aa5e-4d10-87f7-6f4963833460");
    private static readonly Guid s_embeddedSource = new("0e8a571b-6926-466e-b4ad-8ab04611f5fe");

    /// <param name="assembly">The assembly.</param>
    /// <param name="inputs">
    /// Files of its project. One that the debug information does not have may not be newer than the assembly.
    /// </param>
    /// <exception cref="ToolException">A source changed after the assembly was built.</exception>
    public static void RefuseOld(string assembly, IEnumerable<string> inputs)
    {
        var known = new HashSet<string>(StringComparer.Ordinal);
        var changed = FindChanged(assembly, known);
        if (changed is null)
        {
            var built = File.GetLastWriteTimeUtc(assembly);
            changed = inputs.FirstOrDefault(path =>
                !known.Contains(path) && File.Exists(path) && File.GetLastWriteTimeUtc(path) > built);
        }

        if (changed is not null)
            throw new ToolException(ExitCode.Usage,
                $"'{assembly}' is old: '{changed}' changed after it was built. Build it anew.");
    }

    // Sources that are not on this machine, such as those that a generator made, or all of a build elsewhere, are not
    // compared.
    private static string? FindChanged(string assembly, HashSet<string> known)
    {
        try
        {
            using var file = File.OpenRead(assembly);
            using var image = new PEReader(file);
            if (!image.HasMetadata || !image.TryOpenAssociatedPortablePdb(assembly, OpenFile, out var provider, out _))
                return null;
            using (provider) return FindChanged(provider!.GetMetadataReader(), known);
        }
        catch (Exception error) when (error is BadImageFormatException or IOException or UnauthorizedAccessException)
        {
            return null; // reading the contracts tells what is wrong with the assembly
        }
    }

    private static FileStream? OpenFile(string path) => File.Exists(path) ? File.OpenRead(path) : null;

    private static string? FindChanged(MetadataReader symbols, HashSet<string> known)
    {
        string? changed = null;
        bool isHere = false;
        var gone = new List<string>();
        foreach (var handle in symbols.Documents)
        {
            var document = symbols.GetDocument(handle);
            var path = symbols.GetString(document.Name);
            if (File.Exists(path))
            {
                isHere = true;
                known.Add(path);
                if (HashOf(path, symbols.GetGuid(document.HashAlgorithm)) is { } hash
                    && !hash.AsSpan().SequenceEqual(symbols.GetBlobBytes(document.Hash)))
                    changed ??= path;
            }
            else if (Directory.Exists(Path.GetDirectoryName(path)) && !IsEmbedded(symbols, handle)) gone.Add(path);
        }

        return changed ?? (isHere ? gone.FirstOrDefault() : null);
    }

    private static byte[]? HashOf(string path, Guid algorithm)
    {
        if (algorithm != s_sha256 && algorithm != s_sha1) return null;
        using var file = File.OpenRead(path);
#pragma warning disable CA5350 // what the compiler chose
        return algorithm == s_sha256 ? SHA256.HashData(file) : SHA1.HashData(file);
#pragma warning restore CA5350
    }

    private static bool IsEmbedded(MetadataReader symbols, DocumentHandle document) =>
        symbols.GetCustomDebugInformation(document)
            .Any(found => symbols.GetGuid(symbols.GetCustomDebugInformation(found).Kind) == s_embeddedSource);
}
