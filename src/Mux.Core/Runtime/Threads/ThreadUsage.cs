using System.Buffers.Text;
using System.Runtime.InteropServices;

namespace Mux.Runtime;

/// <summary>
/// System figures of the current thread. They distinguish time in which code waited from time in which other threads had the processor. Linux only; about 0.3
/// us per reading.
/// </summary>
/// <param name="Processor">Processor time so far, in microseconds.</param>
/// <param name="Waits">Number of voluntary switches, each because the thread had to wait.</param>
/// <param name="Collections">Number of garbage collections so far; each lets the thread wait about once.</param>
internal readonly partial record struct ThreadUsage(long Processor, long Waits, int Collections = 0)
{
    private const int CurrentThread = 1; // RUSAGE_THREAD

    public static bool IsKnown { get; } = OperatingSystem.IsLinux();

    public static ThreadUsage Read()
    {
        _ = Get(CurrentThread, out var usage);
        return new(((usage.UserSeconds + usage.SystemSeconds) * 1_000_000) + usage.UserMicroseconds + usage.SystemMicroseconds, usage.VoluntarySwitches,
            GC.CollectionCount(0));
    }

    /// <summary>True if the thread has waited for more than garbage collections.</summary>
    public bool HasWaitedSince(ThreadUsage earlier) => Waits - earlier.Waits > Collections - earlier.Collections;

    /// <summary>True if the given thread of this process waits, or if that is unknown or the thread has ended.</summary>
    public static bool IsWaiting(int thread)
    {
        // "42 (name) S ...": the name may contain anything, including parentheses.
        Span<byte> buffer = stackalloc byte[256];
        var stat = ReadFile($"/proc/self/task/{thread}/stat", buffer);
        int state = stat.LastIndexOf((byte)')') + 2;
        return state >= stat.Length || stat[state] is (byte)'S' or (byte)'D';
    }

    /// <summary>Gets the processor time of the given thread of this process, in microseconds; null if unknown.</summary>
    public static long? ProcessorTimeOf(int thread)
    {
        // "nanoseconds-run nanoseconds-waited slices"
        Span<byte> buffer = stackalloc byte[128];
        return Utf8Parser.TryParse(ReadFile($"/proc/self/task/{thread}/schedstat", buffer), out long nanoseconds, out _) ? nanoseconds / 1_000 : null;
    }

    /// <summary>Gets the system's number of the current thread, for <see cref="IsWaiting"/>.</summary>
    public static int ThreadNumber() => IsKnown ? GetThread() : 0;

    private static ReadOnlySpan<byte> ReadFile(string path, Span<byte> buffer)
    {
        if (!IsKnown) return default;
        try
        {
            using var file = File.OpenHandle(path);
            return buffer[..RandomAccess.Read(file, buffer, 0)];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return default;
        }
    }

    [LibraryImport("libc", EntryPoint = "getrusage")]
    private static partial int Get(int who, out Usage usage);

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetThread();

    /// <summary>struct rusage of 64-bit systems: 18 words.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 18 * sizeof(long))]
    private struct Usage
    {
        [FieldOffset(0)]
        public long UserSeconds;

        [FieldOffset(8)]
        public long UserMicroseconds;

        [FieldOffset(16)]
        public long SystemSeconds;

        [FieldOffset(24)]
        public long SystemMicroseconds;

        [FieldOffset(128)]
        public long VoluntarySwitches;
    }
}
