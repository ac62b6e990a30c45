using Microsoft.Extensions.Logging;
using Mux.Diagnostics;
using Mux.Growth;
using Mux.Sessions.Lifecycle;
using Mux.Timing;

namespace Mux.Endpoints;

/// <summary>Logs what happens to the connections of a pool. Called outside its lock, on any thread.</summary>
internal sealed class PoolLog(ChannelSettings settings, string endpoint)
{
    private readonly RateLimit _closed = new();
    private readonly RateLimit _failed = new();

    /// <summary>A connection has ended.</summary>
    /// <param name="end">How.</param>
    /// <param name="wasOpen">True if it was open before.</param>
    /// <param name="isOrderly">True if that is no fault.</param>
    /// <param name="mayWarn">False if the pool does without it.</param>
    /// <param name="delay">Microseconds until the next dial.</param>
    public void Ended(ConnectionEnd end, bool wasOpen, bool isOrderly, bool mayWarn, long delay)
    {
        int others = 0;
        // A server that is away would fill the logs of its clients.
        bool warns = mayWarn && !isOrderly && (wasOpen ? _closed : _failed).TryPass(settings.Calls.Clock.Now, out others);
        var level = warns ? LogLevel.Warning : LogLevel.Debug;
        if (!warns) others = 0; // the next warning counts these
        if (wasOpen || isOrderly) ClientLog.ConnectionClosed(settings.Logger, level, settings.Name, endpoint, end.Reason, end.Text, others, end.Error);
        else ClientLog.ConnectFailed(settings.Logger, level, settings.Name, endpoint, delay / Clock.MicrosecondsPerMillisecond, end.Text, others, end.Error);
    }

    /// <summary>A connection is dialed because the others are too few.</summary>
    public void Grown(int count, int most, GrowthReason reason) =>
        ClientLog.ConnectionAdded(settings.Logger, settings.Name, endpoint, count, most, reason.ToString());

    /// <summary>A connection drains because the others are enough.</summary>
    public void Shrunk(int count) => ClientLog.ConnectionRemoved(settings.Logger, settings.Name, endpoint, count);
}
