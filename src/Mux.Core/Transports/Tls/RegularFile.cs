using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Mux.Transports.Tls;

/// <summary>Opens files without waiting for the other end of a pipe, which may never come.</summary>
internal static partial class RegularFile
{
    private const FileShare Share = FileShare.ReadWrite | FileShare.Delete;

    /// <summary>Opens a path for reading, whatever it is. <see cref="FileStream.CanSeek"/> is false for a pipe or a terminal: reading it may block.</summary>
    public static FileStream Open(string path)
    {
        if (NonBlockingFlags is { } flags)
        {
            var handle = Open(Path.GetFullPath(path), flags);
            if (!handle.IsInvalid) return new FileStream(handle, FileAccess.Read, bufferSize: 0);
            handle.Dispose();
        }

        return new FileStream(path, FileMode.Open, FileAccess.Read, Share, bufferSize: 0); // throws with a good text what the call above did not tell
    }

    /// <summary>O_RDONLY, O_NONBLOCK and O_CLOEXEC; null where they have no known numbers, such as on Windows, whose pipes are no files.</summary>
    private static int? NonBlockingFlags => OperatingSystem.IsLinux() ? 0x80800 : OperatingSystem.IsMacOS() ? 0x1000004 : null;

    [LibraryImport("libc", EntryPoint = "open", StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle Open(string path, int flags);
}
