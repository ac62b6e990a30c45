namespace Mux.Engine;

/// <summary>
/// Keeps in one byte of a slot until when a cancel of its call is premature: within a second of its start, and before half of its own time is over. The byte
/// wraps after 16 s, so a call that is older by a multiple of 16 s may look young.
/// </summary>
internal static class SlotAge
{
    /// <summary>One second, in units of the stamp.</summary>
    private const int Young = 16;

    private const int Unit = 1_000_000 / Young;

    /// <summary>A call with a shorter deadline (microseconds) has used half of it within a second.</summary>
    public const long ShortDeadline = 2 * Young * Unit;

    public static byte StampOf(long now) => (byte)(now / Unit);

    /// <summary>True if it is premature at the time of one stamp to cancel a call with the other stamp.</summary>
    public static bool IsYoung(byte opened, byte now) => (byte)(now - opened) < Young;

    /// <summary>
    /// Gets the stamp of a call with a short deadline: backdated so that the call counts as old when half of its time is over, and no sooner. A caller that
    /// cancels every call at its deadline is not hostile, and a cancel may catch up with its request on the way. A caller that cancels at half its time gains
    /// nothing over one with half the deadline.
    /// </summary>
    /// <param name="opened">The stamp that the call would have without a deadline.</param>
    /// <param name="deadline">Microseconds, less than <see cref="ShortDeadline"/>.</param>
    public static byte WithDeadline(byte opened, long deadline) => (byte)(opened - Young + (deadline / 2 + Unit - 1) / Unit);
}
