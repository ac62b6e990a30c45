using Microsoft.Win32.SafeHandles;

namespace Mux.Transports.Streams;

/// <summary>Opens the standard input and output of this process as byte streams.</summary>
internal static class StandardStreams
{
    private const int InputHandle = 0;
    private const int OutputHandle = 1;

    public static Stream OpenInput() => OperatingSystem.IsWindows() ? Console.OpenStandardInput() : Open(InputHandle, FileAccess.Read);

    public static Stream OpenOutput() => OperatingSystem.IsWindows() ? Console.OpenStandardOutput() : Open(OutputHandle, FileAccess.Write);

    // Console streams create a task for every read and write; file streams do not.
    private static FileStream Open(int handle, FileAccess access) => new(new SafeFileHandle(handle, ownsHandle: false), access, bufferSize: 0);
}
