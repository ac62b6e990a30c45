using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Discovery;
using Mux.Tool.Measuring;
using Mux.Tool.Serving;

namespace Mux.Tool.Load;

/// <summary>
/// Counts the calls of channels by endpoint. Only the channel knows which of several endpoints answered a call, and its log of calls tells. That costs the
/// client some hundred nanoseconds and bytes per call, so it is used with several endpoints only. Thread-safe.
/// </summary>
internal sealed class EndpointTally : ILoggerFactory, ILogger
{
    private const string Category = "Mux.Client.Calls";
    private const string EventName = "ClientCallEnded";
    private const string Endpoint = "Endpoint", Status = "Status", Milliseconds = "Milliseconds"; // names in the text of the event

    private readonly ConcurrentDictionary<string, Figures> _endpoints = new(StringComparer.Ordinal);
    private Dictionary<string, (LatencyHistogram Latencies, long Failed)> _before = [];

    public ILogger CreateLogger(string categoryName) => categoryName == Category ? this : NullLogger.Instance;

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        if (eventId.Name != EventName || state is not IReadOnlyList<KeyValuePair<string, object?>> values) return;
        string? endpoint = null;
        var status = MuxStatus.Ok;
        double milliseconds = 0;
        for (int i = 0; i < values.Count; i++)
        {
            var (name, value) = values[i];
            if (name == Endpoint) endpoint = (string?)value;
            else if (name == Status) status = (MuxStatus)value!;
            else if (name == Milliseconds) milliseconds = (double)value!;
        }

        if (endpoint is not null) _endpoints.GetOrAdd(endpoint, static _ => new Figures()).Add(status, milliseconds);
    }

    /// <summary>Begins the measured time.</summary>
    public void Begin() => _before = _endpoints.ToDictionary(pair => pair.Key, pair => pair.Value.Read(), StringComparer.Ordinal);

    /// <summary>Ends the measured time.</summary>
    /// <param name="endpoints">The endpoints of all channels at that time. One that got no call is reported as well.</param>
    /// <returns>The calls of each endpoint in it, by address.</returns>
    public IReadOnlyList<EndpointOutcome> End(IEnumerable<MuxEndpointStatus> endpoints)
    {
        var outcomes = new List<EndpointOutcome>();
        var known = endpoints.ToLookup(status => status.Endpoint.Address.ToString(), StringComparer.Ordinal);
        foreach (var status in known) _endpoints.TryAdd(status.Key, new Figures());
        foreach (var (address, figures) in _endpoints.OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            var (latencies, failed) = figures.Read();
            if (_before.TryGetValue(address, out var before))
            {
                var between = new LatencyHistogram();
                between.SetDifference(latencies, before.Latencies);
                (latencies, failed) = (between, failed - before.Failed);
            }

            outcomes.Add(new EndpointOutcome(address, latencies, failed, Share: 0, WhyUnreached([.. known[address]])));
        }

        double all = Math.Max(1, outcomes.Sum(outcome => outcome.Calls));
        return [.. outcomes.Select(outcome => outcome with { Share = outcome.Calls / all })];
    }

    public void Dispose()
    {
        // It holds nothing but memory.
    }

    private static string? WhyUnreached(MuxEndpointStatus[] ofChannels)
    {
        if (ofChannels.Length == 0 || Array.Exists(ofChannels, status => status.IsOpen)) return null; // it may have left the name
        var failure = Array.Find(ofChannels, status => status.Failure is not null)?.Failure;
        return failure is null ? "its connections were lost." : FlagNames.In(failure);
    }

    private sealed class Figures
    {
        private readonly Lock _gate = new();
        private readonly LatencyRecorder _latencies = new();
        private long _failed;

        public void Add(MuxStatus status, double milliseconds)
        {
            lock (_gate)
            {
                if (status == MuxStatus.Ok) _latencies.Record((long)(milliseconds * Stopwatch.Frequency / 1_000));
                else _failed++;
            }
        }

        public (LatencyHistogram Latencies, long Failed) Read()
        {
            lock (_gate)
            {
                var sum = new LatencyHistogram();
                sum.Add(_latencies);
                return (sum, _failed);
            }
        }
    }
}
