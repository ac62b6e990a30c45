namespace Mux.Sessions.Budgets;

/// <summary>
/// Until when it is premature to cancel a call, in a byte of its slot: within a second of its start, and before half of its own time is over. Enough to tell
/// such calls from older ones, but for those that are older by a multiple of 16 s.
/// </summary>
internal static class SlotAge
{
    /// <summary>A second, in units of the stamp.</summary>
    private const int Young = 16;

    private const int Unit = 1_000_000 / Young;

    /// <summary>Of calls with less time than this (microseconds) half of it is over within a second.</summary>
    public const long ShortDeadline = 2 * Young * Unit;

    public static byte StampOf(long now) => (byte)(now / Unit);

    /// <summary>Whether it is premature, at the time of one stamp, to cancel a call that has the other.</summary>
    public static bool IsYoung(byte opened, byte now) => (byte)(now - opened) < Young;

    /// <summary>
    /// The stamp of a call with a short deadline: as much older as makes it old when half of its time is over, and no sooner. A caller whose deadlines pass
    /// cancels every call, and is in need and not hostile; on its way a cancel catches up with its request. One who cancels at half the time gets what the
    /// deadline alone would get him with half of it.
    /// </summary>
    /// <param name="opened">What it would be without.</param>
    /// <param name="deadline">Microseconds, less than <see cref="ShortDeadline"/>.</param>
    public static byte WithDeadline(byte opened, long deadline) => (byte)(opened - Young + (deadline / 2 + Unit - 1) / Unit);
}
