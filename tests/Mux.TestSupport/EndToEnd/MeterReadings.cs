using System.Diagnostics.Metrics;
using Mux.Telemetry;

namespace Mux.TestSupport.EndToEnd;

/// <summary>Meters of one test, and what they show. Those of other tests are not among them.</summary>
public sealed class MeterReadings : IMeterFactory
{
    private readonly List<Meter> _meters = [];

    /// <summary>Names of the meters, in the order in which they were made.</summary>
    public IEnumerable<string> Names => _meters.Select(meter => meter.Name);

    public Meter Create(MeterOptions options)
    {
        options.Scope = this;
        var meter = new Meter(options);
        lock (_meters) _meters.Add(meter);
        return meter;
    }

    /// <summary>Everything that can be observed now. Instruments share a sum for a while, which is not waited for.</summary>
    public IReadOnlyList<MeterReading> Read()
    {
        MuxMetrics.For(this).ForgetSums();
        var readings = new List<MeterReading>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Scope == this && instrument.IsObservable) self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => readings.Add(new MeterReading(instrument.Name, value, tags.ToArray())));
        listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) => readings.Add(new MeterReading(instrument.Name, value, tags.ToArray())));
        listener.Start();
        listener.RecordObservableInstruments();
        return readings;
    }

    public void Dispose()
    {
        lock (_meters)
        {
            foreach (var meter in _meters) meter.Dispose();
        }
    }
}
