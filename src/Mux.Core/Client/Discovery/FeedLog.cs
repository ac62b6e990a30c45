using Microsoft.Extensions.Logging;
using Mux.Discovery;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>Logs what becomes of one source. A source that flaps or fails for hours must not fill the logs. Not safe for concurrent use.</summary>
/// <param name="logger">Gets the messages; it does not throw.</param>
/// <param name="channel">Name of the channel.</param>
/// <param name="source">Name of the source.</param>
internal sealed class FeedLog(ILogger logger, string channel, string source)
{
    /// <summary>Most endpoints named in one message.</summary>
    private const int MaxNamed = 16;

    private readonly RateLimit _changes = new(TimeSpan.FromSeconds(10));
    private readonly RateLimit _failures = new(TimeSpan.FromMinutes(1));

    public void OnChanged(EndpointSet old, EndpointSet set, long now)
    {
        var level = _changes.TryPass(now, out int others) ? LogLevel.Information : LogLevel.Debug;
        if (!logger.IsEnabled(level)) return;
        var before = old.ToDictionary(endpoint => endpoint.Address);
        int known = set.Count(endpoint => before.ContainsKey(endpoint.Address));
        int equal = set.Count(endpoint => before.TryGetValue(endpoint.Address, out var earlier) && earlier == endpoint);
        var endpoints = Describe(set);
        ClientLog.EndpointsChanged(logger, level, channel, source, set.Count, set.Count - known, old.Count - known, known - equal, endpoints, others);
    }

    public void OnFailed(Exception error, int kept, TimeSpan pause, long now)
    {
        var level = _failures.TryPass(now, out int others) ? LogLevel.Warning : LogLevel.Debug;
        ClientLog.SourceFailed(logger, level, channel, source, kept, (long)pause.TotalMilliseconds, error.Message, others, error);
    }

    private static string Describe(EndpointSet set)
    {
        if (set.Count == 0) return "none";
        var named = string.Join(", ", set.Take(MaxNamed).Select(endpoint => endpoint.IsLeaving ? $"{endpoint.Address} (leaving)" : $"{endpoint.Address}"));
        return set.Count <= MaxNamed ? named : $"{named} and {set.Count - MaxNamed} more";
    }
}
