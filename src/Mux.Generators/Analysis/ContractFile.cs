using Microsoft.CodeAnalysis;

namespace Mux.Generators.Analysis;

/// <summary>A contract file of the project.</summary>
/// <param name="Path">Path on this machine.</param>
/// <param name="Name">The path by which other files import it: from the folder of contracts on.</param>
/// <param name="Text">Its content.</param>
internal sealed record ContractFile(string Path, string Name, string Text)
{
    private const string Folder = "/Contracts/";

    /// <summary>True for files of protobuf below a folder Contracts. Other such files are not recorded contracts.</summary>
    public static bool Is(string path) => path.EndsWith(".proto", StringComparison.OrdinalIgnoreCase) && StartOfName(path) > 0;

    /// <summary>Gets the path by which other files import a file.</summary>
    public static string NameOf(string path) => path.Replace('\\', '/').Substring(StartOfName(path));

    public static ContractFile Read(AdditionalText file, CancellationToken cancellationToken) =>
        new(file.Path, NameOf(file.Path), file.GetText(cancellationToken)?.ToString() ?? string.Empty);

    // 0 if it is in no such folder.
    private static int StartOfName(string path)
    {
        int folder = path.Replace('\\', '/').LastIndexOf(Folder, StringComparison.Ordinal);
        return folder < 0 ? 0 : folder + Folder.Length;
    }
}
