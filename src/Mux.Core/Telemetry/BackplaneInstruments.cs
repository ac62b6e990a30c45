using System.Diagnostics.Metrics;

namespace Mux.Telemetry;

/// <summary>The instruments of backplanes, which live until the garbage collector takes them: nothing ends them. Safe for concurrent use.</summary>
internal sealed class BackplaneInstruments
{
    private readonly Lock _gate = new();
    private readonly List<WeakReference<IBackplaneReadings>> _backplanes = [];

    public BackplaneInstruments(Meter server)
    {
        server.CreateObservableCounter(
            MetricNames.BackplanePublished, () => Observe(one => one.Published), "{message}", "Messages given to a backplane for other servers.");
        server.CreateObservableCounter(MetricNames.BackplaneReceived, () => Observe(one => one.Received), "{message}", "Messages received from a backplane.");
        server.CreateObservableCounter(MetricNames.BackplaneRefused, () => Observe(one => one.Refused), "{message}",
            "Messages that other servers did not get, because the backplane was interrupted or too slow.");
        server.CreateObservableCounter(MetricNames.BackplaneSkipped, () => Observe(one => one.Skipped), "{message}",
            "Messages received from a backplane that no server of Mux has written.");
        server.CreateObservableUpDownCounter(
            MetricNames.BackplaneQueued, () => Observe(one => one.Queued), "{message}", "Messages that wait for a backplane.");
        server.CreateObservableUpDownCounter(MetricNames.BackplaneInterrupted, () => Observe(one => one.IsInterrupted ? 1 : 0), "{backplane}",
            "Backplanes that are interrupted.");
    }

    public void Add(IBackplaneReadings backplane)
    {
        lock (_gate)
        {
            _backplanes.RemoveAll(static one => !one.TryGetTarget(out _));
            _backplanes.Add(new(backplane));
        }
    }

    private static Measurement<long> Sum(string name, long value) => new(value, new KeyValuePair<string, object?>(MetricNames.BackplaneNameTag, name));

    private List<Measurement<long>> Observe(Func<IBackplaneReadings, long> read)
    {
        lock (_gate)
        {
            var alive = _backplanes.Select(static one => one.TryGetTarget(out var backplane) ? backplane : null).OfType<IBackplaneReadings>();
            return [.. alive.GroupBy(one => one.Name, StringComparer.Ordinal).Select(all => Sum(all.Key, all.Sum(read)))];
        }
    }
}
