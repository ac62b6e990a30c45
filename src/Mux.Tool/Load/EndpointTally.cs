using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Tool.Measuring;

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
    /// <returns>The calls of each endpoint in it, by address.</returns>
    public IReadOnlyList<EndpointOutcome> End()
    {
        var outcomes = new List<EndpointOutcome>();
        foreach (var (address, figures) in _endpoints.OrderBy(pair => pair.Key, StringComparer.Ordinal))
        {
            var (latencies, failed) = figures.Read();
            if (_before.TryGetValue(address, out var before))
            {
                var between = new LatencyHistogram();
                between.SetDifference(latencies, before.Latencies);
                (latencies, failed) = (between, failed - before.Failed);
            }

            outcomes.Add(new EndpointOutcome(address, latencies, failed, Share: 0));
        }

        double all = Math.Max(1, outcomes.Sum(outcome => outcome.Calls));
        return [.. outcomes.Select(outcome => outcome with { Share = outcome.Calls / all })];
    }

    public void Dispose()
    {
        // It holds nothing but memory.
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
