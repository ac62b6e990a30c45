namespace Mux.Transports.BeetleX;

/// <summary>How much of its stack the current thread has used, as far as this transport has seen.</summary>
/// <remarks>
/// BeetleX calls itself when an operation completes at once. It moves to another thread after 50 times, but counts from 0 again whenever an operation of
/// another connection comes between or has to wait: a handler that sends in every delivery, and a peer that never pauses, would use up the stack and end the
/// process. Measured without this: 5 MB in the first second.
/// </remarks>
internal static class StackDepth
{
    // Two orders of magnitude more than a delivery needs, and small beside the 1.5 MB that threads have at least.
    private const nint Great = 128 * 1024;

    // The highest address seen: stacks grow downward.
    [ThreadStatic]
    private static nint t_top;

    /// <summary>Whether sending had better go on on another thread, so that BeetleX counts the receives of this one.</summary>
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
