namespace Mux.Transports.BeetleX;

/// <summary>Measures how much of its stack the current thread has used, as far as this transport has seen.</summary>
/// <remarks>
/// BeetleX calls itself when an operation completes at once. It moves to another thread after 50 calls, but starts to count anew when an operation of another
/// connection comes between or has to wait. A handler that sends in every delivery, with a peer that never pauses, would use up the stack and end the process.
/// Measured without this class: 5 MB in the first second.
/// </remarks>
internal static class StackDepth
{
    // Two orders of magnitude more than a delivery needs, and little compared to the stack of at least 1.5 MB.
    private const nint Great = 128 * 1024;

    // The highest address seen: stacks grow downward.
    [ThreadStatic]
    private static nint t_top;

    /// <summary>True if sending should continue on another thread, so that BeetleX counts the receives of this one.</summary>
    public static unsafe bool IsGreat
    {
        get
        {
            byte mark;
            nint here = (nint)(&mark);
            if (here > t_top) t_top = here;
            return t_top - here > Great;
        }
    }
}
