using System.Runtime.InteropServices;

namespace Mux.Runtime;

/// <summary>Waits for less than a millisecond, which the framework cannot do.</summary>
internal static partial class Pause
{
    public static void Microseconds(int count)
    {
        if (OperatingSystem.IsLinux()) _ = Sleep((uint)count);
#pragma warning disable RS0030 // the monitor's tick: it only waits for time to pass
        else Thread.Sleep(Math.Max(1, count / 1_000));
#pragma warning restore RS0030
    }

    [LibraryImport("libc", EntryPoint = "usleep")]
    private static partial int Sleep(uint microseconds);
}
