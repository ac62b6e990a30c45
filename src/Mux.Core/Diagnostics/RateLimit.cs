using Mux.Timing;

namespace Mux.Diagnostics;

/// <summary>Lets one event per second through and counts the others: for logs of what a crowd can cause. Safe for concurrent use.</summary>
internal sealed class RateLimit
{
    private static readonly long s_pause = Clock.Microseconds(TimeSpan.FromSeconds(1));

    private readonly Lock _gate = new();
    private long _next = long.MinValue;
    private int _held;

    /// <param name="now">On a <see cref="Clock"/>.</param>
    /// <param name="others">How many were held back since the last that was not.</param>
    /// <returns>Whether this one goes through.</returns>
    public bool TryPass(long now, out int others)
    {
        lock (_gate)
        {
            others = _held;
            if (now < _next)
            {
                _held++;
                return false;
            }

            _next = now + s_pause;
            _held = 0;
            return true;
        }
    }
}
