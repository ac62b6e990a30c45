using System.Runtime.InteropServices;
using System.Text;

namespace Mux.TestSupport.Transports;

/// <summary>Handles the process has open, where the system tells.</summary>
public static partial class OpenHandles
{
    private const string Folder = "/proc/self/fd";

    /// <summary>0 where the system does not tell.</summary>
    public static int Count() => Directory.Exists(Folder) ? Directory.GetFiles(Folder).Length : 0;

    /// <summary>
    /// Those that are no files: sockets, pipes, polls. The runtime opens files whenever it loads an assembly or symbols, so their number says nothing.
    /// </summary>
    public static IReadOnlyList<string> WithoutFiles()
    {
        if (!Directory.Exists(Folder)) return [];
        return [.. Directory.GetFileSystemEntries(Folder).Select(Target).OfType<string>().Where(target => !target.StartsWith('/')).Order(StringComparer.Ordinal)];
    }

    /// <summary>What a handle is of; null if it was closed meanwhile. Asked for some hundred handles after each test of real servers: <see cref="FileInfo"/> asks the system three times.</summary>
    private static string? Target(string handle)
    {
        Span<byte> target = stackalloc byte[256];
        nint length = ReadLink(handle, target, target.Length);
        return length < 0 ? null : Encoding.UTF8.GetString(target[..(int)length]);
    }

    [LibraryImport("libc", EntryPoint = "readlink", StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint ReadLink(string path, Span<byte> buffer, nint size);
}
