using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Telemetry;

/// <summary>Passes one event per period and counts the others, for log messages that many peers can cause. Thread-safe.</summary>
/// <param name="period">The period; null for a second.</param>
internal sealed class RateLimit(TimeSpan? period = null)
{
    private readonly long _pause = Clock.Microseconds(period ?? TimeSpan.FromSeconds(1));
    private readonly Lock _gate = new();
    private long _next = long.MinValue;
    private int _held;

    /// <param name="now">Time of a <see cref="Clock"/>.</param>
    /// <param name="others">Number of events suppressed since the last one that passed.</param>
    /// <returns>True if this event passes.</returns>
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

            _next = now + _pause;
            _held = 0;
            return true;
        }
    }

    /// <summary>Chooses the level of a message that each call can cause: one per period has its own, the others are at level Debug.</summary>
    /// <param name="level">The level of the message.</param>
    /// <param name="now">Time of a <see cref="Clock"/>.</param>
    /// <param name="others">How many were at level Debug since the last one that was not; none for those at level Debug.</param>
    public LogLevel Temper(LogLevel level, long now, out SimilarCount others)
    {
        bool passes = TryPass(now, out int held);
        others = passes ? held : 0;
        return passes ? level : LogLevel.Debug;
    }
}

/// <summary>A limit for each method, for messages that its peers can cause. Peers cannot make it grow. Thread-safe.</summary>
/// <param name="period">The period of each; null for a second.</param>
internal sealed class MethodRateLimits(TimeSpan? period = null)
{
    private readonly ConcurrentDictionary<int, RateLimit> _byIndex = new();

    public RateLimit Of(MethodDescriptor method) =>
        _byIndex.GetOrAdd(method.Index, static (_, period) => new RateLimit(period), period);
}

/// <summary>The end of a log message that is limited in rate: how many like it were not logged. Says nothing of none.</summary>
internal readonly record struct SuppressedCount(int Count)
{
    public static implicit operator SuppressedCount(int count) => new(count);

    public override string ToString() => Count == 0 ? string.Empty : $" Suppressed since the last such message: {Count}.";
}

/// <summary>The end of a log message whose like are logged at level Debug for a while: how many those were. Says nothing of none.</summary>
internal readonly record struct SimilarCount(int Count)
{
    public static implicit operator SimilarCount(int count) => new(count);

    public override string ToString() => Count == 0 ? string.Empty : $" Similar messages at level Debug since the last one: {Count}.";
}
