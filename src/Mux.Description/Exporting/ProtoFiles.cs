using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;
using Mux.Description.Proto.Printing;

namespace Mux.Description.Exporting;

/// <summary>Writes a set as the files that compilers of protobuf read.</summary>
internal static class ProtoFiles
{
    /// <param name="fileDescriptorSet">The set.</param>
    /// <returns>Texts by path. Protobuf's own files are not there, because every compiler has them.</returns>
    public static IReadOnlyDictionary<string, string> Of(ReadOnlySpan<byte> fileDescriptorSet)
    {
        var texts = new SortedDictionary<string, string>(StringComparer.Ordinal);
        bool hasOptions = false;
        foreach (var file in DescriptorReader.Read(fileDescriptorSet).Files)
        {
            hasOptions |= ImportsOptions(file);
            if (file.Name != ProtoPrinter.OptionsFile && !file.Name.StartsWith("google/protobuf/", StringComparison.Ordinal))
                texts.Add(file.Name, ProtoPrinter.Print(file));
        }

        if (hasOptions) texts.Add(ProtoPrinter.OptionsFile, BuiltInFiles.Read(ProtoPrinter.OptionsFile)!);
        return texts;
    }

    private static bool ImportsOptions(ProtoFile file) =>
        ProtoPrinter.HasOptions(file) || file.Imports.Exists(static import => import.Name == ProtoPrinter.OptionsFile);
}
