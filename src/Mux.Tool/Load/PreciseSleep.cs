using System.Runtime.InteropServices;

namespace Mux.Tool.Load;

/// <summary>Puts the calling thread to sleep for less than a millisecond, where the system supports it.</summary>
internal static partial class PreciseSleep
{
    private const int SetTimerSlack = 29; // PR_SET_TIMERSLACK of linux/prctl.h
    private const long NanosecondsPerSecond = 1_000_000_000;

    /// <summary>
    /// The shortest useful sleep: on Linux, many times the cost of a switch to another thread and back; elsewhere, the tick of the system's timer.
    /// </summary>
    public static TimeSpan Granularity { get; } = OperatingSystem.IsLinux() ? TimeSpan.FromMicroseconds(100) : TimeSpan.FromMilliseconds(1);

    /// <summary>
    /// Call once on a thread that is going to sleep: by default, Linux adds up to 50 us to each of its sleeps, to wake several threads at once.
    /// </summary>
    public static void PrepareThread()
    {
        if (OperatingSystem.IsLinux()) _ = Control(SetTimerSlack, 1, 0, 0, 0);
    }

    /// <summary>Sleeps, possibly longer than requested.</summary>
    public static void Sleep(TimeSpan time)
    {
        if (!OperatingSystem.IsLinux())
        {
#pragma warning disable RS0030 // a separate thread that only waits for time to pass
            Thread.Sleep(time);
#pragma warning restore RS0030
            return;
        }

        long nanoseconds = (long)time.TotalNanoseconds;
        var request = new Timespec { Seconds = (nint)(nanoseconds / NanosecondsPerSecond), Nanoseconds = (nint)(nanoseconds % NanosecondsPerSecond) };
        _ = Nanosleep(request, 0); // a signal may end it early, which does no harm: the pacer checks the clock
    }

    // The runtime sleeps in whole milliseconds.
    [LibraryImport("libc", EntryPoint = "nanosleep")]
    private static partial int Nanosleep(in Timespec request, nint remaining);

    [LibraryImport("libc", EntryPoint = "prctl")]
    private static partial int Control(int option, nuint argument2, nuint argument3, nuint argument4, nuint argument5);

    /// <summary>struct timespec.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Timespec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
