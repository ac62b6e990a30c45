namespace Mux.Engine;

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
