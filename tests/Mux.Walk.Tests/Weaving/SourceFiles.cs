using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Mux.Walk.Tests.Weaving;

/// <summary>
/// Which source files the types and methods of an assembly come from, by its portable PDB. Tokens are the keys.
/// </summary>
internal sealed class SourceFiles : IDisposable
{
    /// <summary>
    /// What the compiler writes for types without code, such as interfaces and enums (TypeDefinitionDocuments).
    /// </summary>
    private static readonly Guid s_documentsOfType = new("932E74BC-DBA9-4478-8D46-0F32A7BAB3D3");

    private readonly MetadataReaderProvider _provider;
    private readonly MetadataReader _reader;

    /// <param name="assembly">The path of an assembly whose PDB is beside it.</param>
    public SourceFiles(string assembly)
    {
        _provider = MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(Path.ChangeExtension(assembly, ".pdb")));
        _reader = _provider.GetMetadataReader();
    }

    public void Dispose() => _provider.Dispose();

    /// <summary>The file and line of the first statement of a method, or null if the compiler wrote it all.</summary>
    public (string File, int Line)? OfMethod(int token)
    {
        var handle = MetadataTokens.MethodDefinitionHandle(token & 0xFFFFFF).ToDebugInformationHandle();
        var information = _reader.GetMethodDebugInformation(handle);
        if (information.SequencePointsBlob.IsNil) return null;
        foreach (var point in information.GetSequencePoints())
        {
            if (!point.IsHidden && InSources(point.Document) is { } file) return (file, point.StartLine);
        }

        return null;
    }

    /// <summary>The file that declares a type without code.</summary>
    public string? OfType(int token)
    {
        EntityHandle type = MetadataTokens.TypeDefinitionHandle(token & 0xFFFFFF);
        foreach (var handle in _reader.GetCustomDebugInformation(type))
        {
            var information = _reader.GetCustomDebugInformation(handle);
            if (_reader.GetGuid(information.Kind) != s_documentsOfType) continue;
            var documents = _reader.GetBlobReader(information.Value);
            while (documents.RemainingBytes > 0)
            {
                var document = MetadataTokens.DocumentHandle(documents.ReadCompressedInteger());
                if (InSources(document) is { } file) return file;
            }
        }

        return null;
    }

    /// <summary>
    /// The path from <c>src</c> or <c>tests</c> on; null for what a generator has written. Builds of CI replace the
    /// beginning of paths by <c>/_/</c>.
    /// </summary>
    private string? InSources(DocumentHandle handle)
    {
        if (handle.IsNil) return null;
        var path = _reader.GetString(_reader.GetDocument(handle).Name).Replace('\\', '/');
        int begin = Math.Max(
            path.LastIndexOf("/src/", StringComparison.Ordinal),
            path.LastIndexOf("/tests/", StringComparison.Ordinal));
        return begin < 0 || path.EndsWith(".g.cs", StringComparison.Ordinal) ? null : path[(begin + 1)..];
    }
}
