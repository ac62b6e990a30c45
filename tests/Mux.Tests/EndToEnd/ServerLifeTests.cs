using System.Diagnostics.Metrics;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>What a server says when it starts, while it runs, and when it stops.</summary>
public sealed class ServerLifeTests : EndToEndTests
{
    [Fact]
    public void Options_that_are_null_are_named()
    {
        const string Text = "null is not allowed: expected a text, which may be empty.";
        using var server = new MuxServer(new MuxServerOptions { TimeProvider = null!, PeerName = null!, Address = null! });
        var error = Assert.Throws<ArgumentException>(server.Start);
        Assert.StartsWith("MuxServerOptions: Address: '' is not an address", error.Message, StringComparison.Ordinal);
        Assert.EndsWith("PeerName: " + Text + " TimeProvider: null is not allowed: expected a TimeProvider, such as TimeProvider.System.", error.Message, StringComparison.Ordinal);

        error = Assert.Throws<ArgumentException>(() => MuxChannel.Create(new MuxChannelOptions { TimeProvider = null!, PeerName = null!, Name = null! }));
        Assert.Equal(
            "MuxChannelOptions: PeerName: " + Text + " TimeProvider: null is not allowed: expected a TimeProvider, such as TimeProvider.System. Name: " + Text, error.Message);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_says_what_it_serves_and_warns_when_that_is_nothing()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IForms>(new Forms()).AddService<IDesk>(new Desk()));
        Assert.Equal($"Listening at {server.Address}, serving test.Desk, test.Forms.", Assert.Single(await scene.Logs.ReachAsync("ServerListening")).Text);
        Assert.Empty(scene.Logs.Of("ServerServesNothing"));

        var empty = scene.StartServer(_ => { });
        Assert.Equal($"Listening at {empty.Address}, serving nothing.", scene.Logs.Of("ServerListening")[^1].Text);
        Assert.Contains(empty.Address.ToString(), Assert.Single(scene.Logs.Of("ServerServesNothing")).Text, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Durations_carry_the_address_of_the_other_metrics(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var addresses = new List<string>();
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Scope == scene.Meters && instrument.Name is "rpc.server.call.duration") self.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) =>
        {
            var address = new MeterReading(instrument.Name, 0, tags.ToArray()).Tag("server.address");
            lock (addresses) addresses.Add(address!);
        });
        listener.Start();
        await scene.CreateChannel(server).CreateProxy<IDesk>().AskPlainly(new Question());
        await Eventually.Holds(() => Recorded() > 0, "the duration of the call");
        Assert.Equal([server.Address.ToString()], addresses);
        Assert.Contains(scene.Meters.Read(), reading => reading.Instrument == "mux.server.calls" && reading.Tag("server.address") == addresses[0]);

        int Recorded()
        {
            lock (addresses) return addresses.Count;
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_that_leaves_connections_behind_says_how_many()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.Tcp, time);
        var (blocked, end) = (new Signal("the handler that blocks"), new Signal("its end"));
        var desk = new Desk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options =>
        {
            options.DrainTimeout = TimeSpan.Zero;
            options.Dispatch = MuxDispatchMode.Inline;
            options.Transport = new FaultingTransport(scene.Transport); // its links stay with their thread
        });
        var (one, other) = (scene.CreateChannel(server), scene.CreateChannel(server));
        await one.CreateProxy<IDesk>().AskPlainly(new Question());
        await other.CreateProxy<IDesk>().AskPlainly(new Question());
        desk.OnAsk = (_, _) =>
        {
            blocked.Set();
            end.Wait();
            return new(new Answer());
        };
        var call = one.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await blocked.WaitAsync();
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        await scene.Logs.ReachAsync("ServerConnectionClosed");
        await Eventually.Holds(() => server.Ledger!.Connections.Length == 1, "the release of the other connection");
        time.Advance(TimeSpan.FromSeconds(30));
        await stopping.Within("the stop");
        Assert.Equal("Stopped while user code still runs on 1 connection(s): a continuation or handler blocks.", Assert.Single(scene.Logs.Of("ServerDrainIncomplete")).Text);
        end.Set();
        await Assert.ThrowsAsync<MuxException>(() => call);
    }
}
