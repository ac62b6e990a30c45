using System.Diagnostics.Metrics;

namespace Evidence.Storms;

/// <summary>Reads <c>mux.client.attempts</c>: how often the channels of this process have sent calls again, by reason.</summary>
internal sealed class FurtherAttempts : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly Dictionary<string, long> _counts = [];

    public FurtherAttempts()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == "mux.client.attempts") listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>((_, count, tags, _) => Add(count, tags));
        _listener.Start();
    }

    /// <summary>Gets the numbers of now. Those of channels that are disposed are gone.</summary>
    public IReadOnlyDictionary<string, long> Read()
    {
        _counts.Clear();
        _listener.RecordObservableInstruments();
        return _counts;
    }

    public void Dispose() => _listener.Dispose();

    private void Add(long count, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        foreach (var tag in tags)
        {
            if (tag.Key == "mux.attempt.reason") _counts[(string)tag.Value!] = _counts.GetValueOrDefault((string)tag.Value!) + count;
        }
    }
}
