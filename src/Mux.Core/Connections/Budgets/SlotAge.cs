namespace Mux.Connections.Budgets;

/// <summary>When a call was opened, in a byte of its slot: enough to tell the calls of the last second from older ones, but for those that are older by a multiple of 64 s.</summary>
internal static class SlotAge
{
    private const int QuarterSecond = 250_000;

    public static byte StampOf(long now) => (byte)(now / QuarterSecond);

    /// <summary>Whether it is less than a second between two stamps.</summary>
    public static bool IsYoung(byte opened, byte now) => (byte)(now - opened) < 4;
}
