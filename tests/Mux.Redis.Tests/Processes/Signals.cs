using System.Runtime.InteropServices;

namespace Mux.Redis.Tests.Processes;

/// <summary>Signals to processes that a test has started.</summary>
internal static partial class Signals
{
    public const int Kill = 9;
    public const int Terminate = 15;
    public const int Continue = 18;
    public const int Stop = 19;

    public static void Send(int process, int signal) => _ = kill(process, signal);

    [LibraryImport("libc")]
    private static partial int kill(int process, int signal);
}
