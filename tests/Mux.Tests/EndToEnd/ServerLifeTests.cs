using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
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

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_whose_address_was_in_use_can_start_when_it_is_free(TransportKind kind)
    {
        var scene = Begin(kind);
        MuxServerOptions? options = null;
        var sut = scene.StartServer(
            server =>
            {
                server.AddService<IDesk>(new Desk());
                Assert.Empty(server.Peers);
                using (var first = new MuxServer(options!))
                {
                    first.Start();
                    options!.Address = first.Address.ToString();
                    Assert.Throws<IOException>(server.Start);
                    Assert.Throws<IOException>(server.Start);
                }

                Assert.Equal(MuxServerState.Created, server.State);
                server.AddService<IForms>(new Forms());
            },
            made => options = made);
        var channel = scene.CreateChannel(sut);
        Assert.Equal(1, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 1 })).Id);
        Assert.Single(sut.Peers);
    }

    [Fact]
    public async Task A_second_start_while_the_first_one_runs_fails_and_says_what_to_do()
    {
        MuxServer? sut = null;
        Exception? second = null;
        using var loggers = new HookedLoggers(() => second = Record.Exception(() => sut!.Start()));
        sut = new MuxServer(new MuxServerOptions { Address = string.Empty }, loggers).AddService<IDesk>(new Desk());
        await using var disposed = sut;

        sut.Start();

        Assert.Contains("call Start on one thread alone", Assert.IsType<InvalidOperationException>(second).Message, StringComparison.Ordinal);
        var third = Assert.Throws<InvalidOperationException>(sut.Start);
        Assert.Contains("create a new MuxServer", third.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_does_not_listen_itself_says_who_does()
    {
        using var logs = new LogCollector();
        await using var server = new MuxServer(new MuxServerOptions { Address = string.Empty }, logs).AddService<IDesk>(new Desk());
        server.Start();
        Assert.Equal("Listening at the endpoints of its host, serving test.Desk.", Assert.Single(logs.Of("ServerListening")).Text);
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
    public async Task Counters_carry_the_address_at_which_the_server_really_listens(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        await scene.CreateChannel(server).CreateProxy<IDesk>().AskPlainly(new Question());
        var reading = Assert.Single(scene.Meters.Read(), reading => reading.Instrument == "mux.server.calls");
        Assert.True(reading.IsAt(server.Address), string.Join(", ", reading.Tags));
    }

    [Fact(Timeout = TestLimit)]
    public void A_server_that_does_not_listen_has_no_address_in_its_metrics()
    {
        var scene = Begin(TransportKind.InMemory);
        using var server = new MuxServer(new MuxServerOptions { Address = string.Empty, MeterFactory = scene.Meters });
        server.Start();
        Assert.Empty(Assert.Single(scene.Meters.Read(), reading => reading.Instrument == "mux.server.active_connections").Tags);
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

    /// <summary>Runs code of the test in the middle of a start, which creates the logger of calls.</summary>
    private sealed class HookedLoggers(Action hook) : ILoggerFactory
    {
        public ILogger CreateLogger(string categoryName)
        {
            if (categoryName == "Mux.Server.Calls") hook();
            return NullLogger.Instance;
        }

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
            // It holds nothing.
        }
    }
}
