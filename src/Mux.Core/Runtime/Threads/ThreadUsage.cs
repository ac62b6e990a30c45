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

/// <summary>
/// Records the state of a thread before user code runs on it, to restore it: the next caller's code must not see what this one's code has set. Thread-local.
/// </summary>
internal readonly struct ThreadTraces
{
    private readonly Thread _thread;
    private readonly ExecutionContext _context; // the default context of a thread that has just started
    private readonly string? _name;
    private readonly ThreadPriority _priority;
    private readonly bool _isBackground;

    private ThreadTraces(Thread thread)
    {
        _thread = thread;
        _context = ExecutionContext.Capture()!;
        _name = thread.Name;
        _priority = thread.Priority;
        _isBackground = thread.IsBackground;
    }

    /// <summary>Records the calling thread.</summary>
    public static ThreadTraces OfCurrent() => new(Thread.CurrentThread);

    /// <summary>Restores async locals, culture, activity, synchronization context, name, priority, and whether the thread keeps the process alive.</summary>
    public void Remove()
    {
        if (ExecutionContext.Capture() != _context) ExecutionContext.Restore(_context);
        if (SynchronizationContext.Current is not null) SynchronizationContext.SetSynchronizationContext(null);
        RemoveFromThread();
    }

    /// <summary>Restores only what no <see cref="ExecutionContext"/> holds: name, priority, and whether the thread keeps the process alive.</summary>
    public void RemoveFromThread()
    {
        if (!ReferenceEquals(_thread.Name, _name)) _thread.Name = _name;
        if (_thread.Priority != _priority) _thread.Priority = _priority;
        if (_thread.IsBackground != _isBackground) _thread.IsBackground = _isBackground;
    }
}
