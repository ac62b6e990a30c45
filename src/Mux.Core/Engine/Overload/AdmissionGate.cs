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

/// <summary>
/// How many of 256 calls of each priority are taken. The share of the calls that a server can do goes to those of high priority first, and to those of low
/// priority last. Pure.
/// </summary>
internal readonly record struct AdmissionCut(int High, int Normal, int Low)
{
    /// <summary>All calls of a priority.</summary>
    public const int All = 256;

    /// <summary>The highest level: all calls are taken (LEASE, PROTOCOL.md section 3.6).</summary>
    public const int MostLevel = 3 * LevelsPerPriority;

    private const int LevelsPerPriority = 21;

    /// <summary>All calls are taken.</summary>
    public static AdmissionCut Nothing { get; } = new(All, All, All);

    /// <summary>Position in the order of calls up to which they are taken: a third of the range for each priority.</summary>
    public int Level => Low > 0 ? 2 * LevelsPerPriority + Part(Low) : Normal > 0 ? LevelsPerPriority + Part(Normal) : Part(High);

    /// <summary>True if a server that tells this level refuses all calls of a priority.</summary>
    public static bool RefusesAll(int level, MuxCallPriority priority) => level <= priority switch
    {
        MuxCallPriority.High => 0,
        MuxCallPriority.Low => 2 * LevelsPerPriority,
        _ => LevelsPerPriority,
    };

    /// <summary>Divides a share of all calls among the priorities.</summary>
    /// <param name="share">The share, 0 to 1.</param>
    /// <param name="high">Number of calls of high priority that came lately, of which the share is one.</param>
    /// <param name="normal">Number of those of normal priority.</param>
    /// <param name="low">Number of those of low priority.</param>
    public static AdmissionCut Of(double share, long high, long normal, long low)
    {
        if (share >= 1) return Nothing;
        if (high + normal + low == 0) normal = 1; // most calls are of this priority
        double left = share * (high + normal + low);
        return new(Take(high, ref left), Take(normal, ref left), Take(low, ref left));
    }

    /// <summary>Number of 256 calls that are taken.</summary>
    public int Of(MuxCallPriority priority) => priority switch
    {
        MuxCallPriority.High => High,
        MuxCallPriority.Low => Low,
        _ => Normal,
    };

    private static int Take(long calls, ref double left)
    {
        double taken = Math.Clamp(left, 0, calls);
        bool isAll = left >= calls && left > 0; // one of a priority of which none came is taken if anything is left for the next one
        left -= calls;
        return isAll ? All : calls == 0 ? 0 : (int)Math.Ceiling(taken / calls * All);
    }

    /// <summary>Neither none nor all of a priority, unless it is so.</summary>
    private static int Part(int taken)
    {
        int part = taken * LevelsPerPriority / All;
        return taken is 0 or All ? part : Math.Clamp(part, 1, LevelsPerPriority - 1);
    }
}

/// <summary>
/// Decides after each window of <see cref="QueueTime"/> which share of the calls an overloaded server takes: as many as leave no queue that stands. Pure; times
/// in microseconds.
/// </summary>
/// <remarks>
/// <para>A queue time above the target takes a tenth off the share, and a fifth if it is ten times the target. While the queue gets shorter by a tenth in a
/// window, the share is right and stays: cutting on until the queue is gone would leave the threads without work after it. Below the target the share grows by
/// a twentieth, and by a fifth if the queue was empty.</para>
/// <para>In a simulation of four threads and calls of 2 ms with a deadline of 250 ms, 83 % of what the threads can do is done in time under three times the
/// load, and 78 % under ten times. With the rules for a tenth, a twentieth and a fifth alone it is 79 % and 63 %, and without any control 3 %.</para>
/// </remarks>
/// <param name="target">Queue time that is not worth refusing calls for.</param>
internal sealed class AdmissionLevel(long target)
{
    /// <summary>The least share: some calls are always taken, because only they show that the server has time again. It is whole again after 2.2 s.</summary>
    public const double LeastShare = 0.02;

    private const int Far = 10; // times the target

    private long _last;

    /// <summary>The share of the calls that are taken, 1 for all.</summary>
    public double Share { get; private set; } = 1;

    /// <summary>Takes the result of windows that have ended.</summary>
    /// <param name="least">The least queue time of the last one.</param>
    /// <param name="windows">Their number.</param>
    public void OnWindows(long least, int windows)
    {
        bool isFalling = least < _last - _last / 10;
        double factor = least == 0 ? 1.2 : least <= target ? 1.05 : isFalling ? 1 : least / Far > target ? 0.8 : 0.9;
        _last = least;
        Share = Math.Clamp(Share * Math.Pow(factor, Math.Min(windows, 100)), LeastShare, 1);
    }
}
