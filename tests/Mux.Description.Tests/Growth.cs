using System.Runtime.InteropServices;

namespace Mux.Description.Tests;

/// <summary>
/// Compares what an input costs with what one of eight times the size costs, in the time of the processor that the thread had: other programs do not count.
/// </summary>
internal static partial class Growth
{
    private const int Factor = 8;
    private const int Allowed = 36; // work for each pair takes 64 times as long, and collecting larger heaps takes up to 30 times
    private const int Attempts = 8;
    private const int Repetitions = 20;
    private const int ThreadClock = 3; // CLOCK_THREAD_CPUTIME_ID

    /// <summary>Fails if the work grows faster than its input.</summary>
    /// <param name="size">Size of the smaller input.</param>
    /// <param name="prepare">Makes the work for a size.</param>
    public static void AssertLinear(int size, Func<int, Action> prepare)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux has the clock of a thread by this name.");
        var small = prepare(size);
        var large = prepare(size * Factor);
        long least = long.MaxValue, greatest = long.MaxValue;
        for (int i = 0; i < Attempts; i++)
        {
            GC.Collect(); // what was before is not work of this input
            greatest = Math.Min(greatest, Measure(large));
            for (int j = 0; j < Repetitions; j++) least = Math.Min(least, Measure(small)); // until the runtime has compiled the code as well as for the larger one
            if (i > 0 && greatest < least * Allowed) return;
        }

        Assert.Fail($"An input of {Factor} times the size takes {(double)greatest / least:F0} times as long: {greatest} ns and {least} ns.");
    }

    private static long Measure(Action work)
    {
        long before = Now();
        work();
        return Now() - before;
    }

    private static long Now()
    {
        Assert.Equal(0, GetTime(ThreadClock, out var time));
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int GetTime(int clock, out Time time);

    private struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
