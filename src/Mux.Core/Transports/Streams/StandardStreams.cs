using Microsoft.Win32.SafeHandles;

namespace Mux.Transports.Streams;

/// <summary>The standard input and output of this process as streams of bytes.</summary>
internal static class StandardStreams
{
    private const int InputHandle = 0;
    private const int OutputHandle = 1;

    public static Stream OpenInput() => OperatingSystem.IsWindows() ? Console.OpenStandardInput() : Open(InputHandle, FileAccess.Read);

    public static Stream OpenOutput() => OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : Open(OutputHandle, FileAccess.Write);

    // The console's streams make a task of every read and write; a file's do not.
    private static FileStream Open(int handle, FileAccess access) => new(new SafeFileHandle(handle, ownsHandle: false), access, bufferSize: 0);
}
