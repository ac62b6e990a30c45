using System.Diagnostics.Metrics;

namespace Mux.Tool.Gateway;

/// <summary>
/// Counts the calls of the gateway of this process at its channels: <c>mux.client.calls</c>. The channels are read after the drain of the server, which takes
/// its own counts with it. Holds the meters, which belong to it. One thread at a time.
/// </summary>
internal sealed class CallCounts : IMeterFactory
{
    /// <summary>Readers of meters share a sum for 100 ms.</summary>
    private static readonly TimeSpan s_oldest = TimeSpan.FromMilliseconds(150);

    private readonly List<Meter> _meters = [];
    private readonly MeterListener _listener = new();
    private readonly Dictionary<(string Method, string Client), (long Calls, long Failed)> _now = [];

    public CallCounts()
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Scope == this && instrument.Name == "mux.client.calls") listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<long>(OnMeasured);
        _listener.Start();
    }

    /// <inheritdoc/>
    public Meter Create(MeterOptions options)
    {
        options.Scope = this;
        var meter = new Meter(options);
        _meters.Add(meter);
        return meter;
    }

    /// <summary>Gets the calls since the start, and how many of them failed, by method and client.</summary>
    public IReadOnlyDictionary<(string Method, string Client), (long Calls, long Failed)> Read()
    {
        _now.Clear();
        _listener.RecordObservableInstruments();
        return _now;
    }

    /// <summary>Like <see cref="Read"/>, with the calls that have ended a moment ago.</summary>
    public async Task<IReadOnlyDictionary<(string Method, string Client), (long Calls, long Failed)>> ReadLastAsync()
    {
        await Task.Delay(s_oldest, TimeProvider.System).ConfigureAwait(false);
        return Read();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _listener.Dispose();
        foreach (var meter in _meters) meter.Dispose();
    }

    private void OnMeasured(Instrument instrument, long value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state)
    {
        string method = string.Empty, client = string.Empty, status = string.Empty;
        foreach (var (name, text) in tags)
        {
            if (name == "rpc.method") method = (string)text!;
            else if (name == "mux.client.name") client = (string)text!;
            else if (name == "rpc.status_code") status = (string)text!;
        }

        var before = _now.GetValueOrDefault((method, client));
        _now[(method, client)] = (before.Calls + value, before.Failed + (status == "OK" ? 0 : value));
    }
}
