using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Diagnostics;

/// <summary>Listens to the durations of one scene for the time of a test.</summary>
internal sealed class Durations : IDisposable
{
    private readonly ConcurrentQueue<(Histogram<double> Instrument, Dictionary<string, object?> Tags, double Value)> _recorded = [];
    private readonly MeterListener _listener;

    public Durations(MeterReadings meters)
    {
        _listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter.Scope == meters && !instrument.IsObservable) self.EnableMeasurementEvents(instrument);
            },
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => _recorded.Enqueue(((Histogram<double>)instrument, tags.ToArray().ToDictionary(), value)));
        _listener.Start();
    }

    /// <summary>The only measurement of an instrument, once both sides have measured.</summary>
    public async Task<(Histogram<double> Instrument, Dictionary<string, object?> Tags, double Value)> OfAsync(string name)
    {
        await Eventually.Holds(() => _recorded.Count >= 2, () => $"the durations of both sides; there are {_recorded.Count}");
        return Assert.Single(_recorded, entry => entry.Instrument.Name == name);
    }

    /// <summary>Measurements of an instrument so far.</summary>
    public int CountOf(string name) => _recorded.Count(entry => entry.Instrument.Name == name);

    public void Dispose() => _listener.Dispose();
}
