using System.Diagnostics.Metrics;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Diagnostics;

/// <summary>An export reads many instruments, and sums once.</summary>
public sealed class LedgerSnapshotTests
{
    private static readonly MethodDescriptor s_method = new("test.Snapshot", "Ask", MethodShape.Unary, takesToken: false);

    private readonly ConnectionLedger _ledger = new();
    private readonly ManualTime _time = new();

    [Fact]
    public void All_who_read_within_a_tenth_of_a_second_share_one_sum()
    {
        var sut = new LedgerSnapshot(_ledger, new Clock(_time));
        var first = sut.Read();
        _ledger.CountOutside(s_method, MuxStatus.Ok);
        _time.Advance(TimeSpan.FromMilliseconds(99));
        Assert.Same(first, sut.Read());
        Assert.Equal(0, sut.Read().CallsStarted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, sut.Read().CallsStarted);
    }

    [Fact]
    public void A_sum_that_is_forgotten_is_made_again_at_once()
    {
        var sut = new LedgerSnapshot(_ledger, new Clock(_time));
        Assert.Equal(0, sut.Read().CallsStarted);
        _ledger.CountOutside(s_method, MuxStatus.Ok);
        sut.Forget();
        Assert.Equal(1, sut.Read().CallsStarted);
    }

    [Fact]
    public void Instruments_of_one_endpoint_show_the_same_moment()
    {
        using var factory = new MeterReadings();
        MuxMetrics.For(factory).AddClient(new MeteredEndpoint(_ledger, new Clock(_time), () => [s_method], []));
        var values = new Dictionary<string, long>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Meter.Scope == factory && instrument.Name.StartsWith("mux.client.", StringComparison.Ordinal)) self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, _, _) =>
        {
            values[instrument.Name] = value;
            _ledger.CountOutside(s_method, MuxStatus.Ok); // what happens between two instruments
        });
        listener.Start();
        _ledger.CountOutside(s_method, MuxStatus.Ok);

        listener.RecordObservableInstruments();
        Assert.Equal((0, 1), (values["mux.client.active_calls"], values["mux.client.calls"]));
        _time.Advance(TimeSpan.FromMilliseconds(100));
        listener.RecordObservableInstruments();
        Assert.InRange(values["mux.client.calls"], 4, 6);
    }
}
