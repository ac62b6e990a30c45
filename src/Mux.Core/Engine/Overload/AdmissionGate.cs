namespace Mux.Engine;

/// <summary>
/// What an overloaded server takes of the requests that arrive, and what it knows of its queues. The monitor sets it; turns read it for each request: one load
/// and one branch while nothing is refused. Thread-safe.
/// </summary>
internal sealed class AdmissionGate
{
    /// <summary>Retry-after of a refused call, in queue times: by then all that waited has been served, and as much that came after it.</summary>
    private const int RetryQueueTimes = 2;

    private const long LeastRetryAfter = 20, MostRetryAfter = 5_000; // milliseconds

    private const int Spacing = 8; // counters of one cache line each: turns of several threads count

    private readonly long[] _arrived = new long[3 * Spacing];
    private long _refused;
    private volatile bool _isCutting;
    private long _cut = Pack(AdmissionCut.Nothing);
    private double _share = 1;
    private long _queueTime;
    private long _round;

    /// <summary>A gate that refuses nothing, for connections that belong to no server.</summary>
    public static AdmissionGate Open { get; } = new();

    /// <summary>True if some requests are refused.</summary>
    public bool IsCutting => _isCutting;

    /// <summary>Share of the requests that are taken, 1 for all.</summary>
    public double Share => Volatile.Read(ref _share);

    /// <summary>Microseconds that work waits for a thread, as of the last window.</summary>
    public long QueueTime => Volatile.Read(ref _queueTime);

    /// <summary>
    /// Microseconds that requests have waited for their loop when it reads them, on average: half of a round. 0 if the server has no control of its load.
    /// </summary>
    public long Delay => Volatile.Read(ref _round) / 2;

    /// <summary>Number of requests refused so far.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Sets what was measured.</summary>
    public void SetTimes(long queueTime, long round)
    {
        Volatile.Write(ref _queueTime, queueTime);
        Volatile.Write(ref _round, round);
    }

    /// <summary>Sets what is taken from now on.</summary>
    public void Set(double share, AdmissionCut cut)
    {
        Volatile.Write(ref _share, share);
        Volatile.Write(ref _cut, Pack(cut));
        _isCutting = cut != AdmissionCut.Nothing;
    }

    /// <summary>Decides about a request while <see cref="IsCutting"/>.</summary>
    /// <param name="priority">Its priority.</param>
    /// <param name="place">Its place among 256 calls: the same for all calls of a trace, so that a tree of calls is taken or refused as a whole.</param>
    public bool Admits(MuxCallPriority priority, byte place)
    {
        Interlocked.Increment(ref _arrived[(int)priority * Spacing]);
        if (place < Unpack(Volatile.Read(ref _cut)).Of(priority)) return true;
        Interlocked.Increment(ref _refused);
        return false;
    }

    /// <summary>Number of requests of a priority that were decided about since the last time.</summary>
    public long TakeArrived(MuxCallPriority priority) => Interlocked.Exchange(ref _arrived[(int)priority * Spacing], 0);

    /// <summary>Milliseconds after which a refused call may be tried again.</summary>
    /// <param name="spread">Spreads callers that were refused together over a half more.</param>
    public uint RetryAfterMilliseconds(byte spread)
    {
        long least = Math.Clamp(RetryQueueTimes * QueueTime / 1_000, LeastRetryAfter, MostRetryAfter);
        return (uint)(least + least * spread / 512);
    }

    private static long Pack(AdmissionCut cut) => (long)cut.High << 32 | (long)cut.Normal << 16 | (long)cut.Low;

    private static AdmissionCut Unpack(long cut) => new((int)(cut >> 32) & 0xFFFF, (int)(cut >> 16) & 0xFFFF, (int)cut & 0xFFFF);
}
