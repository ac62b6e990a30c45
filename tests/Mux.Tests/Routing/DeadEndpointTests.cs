using Mux.Client;
using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports;

namespace Mux.Tests.Routing;

/// <summary>Lists with many servers that are gone. What they cost a process: <c>benchmarks/Evidence -- dead-endpoints</c>.</summary>
public sealed class DeadEndpointTests : EndToEndTests
{
    private const int Alive = 3, Dead = 300, Dials = 600, MostDials = 100; // the last a second
    private const int Together = 12; // servers that are dialed at the same time

    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(20);

    private readonly ManualTime _time = new();
    private readonly ScriptedSource _source = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_dial_in_vain_of_a_server_that_was_away_changes_nothing_that_a_choice_sees()
    {
        var (_, _, channel, transport) = await BeginAsync();

        var set = channel.Table().Set;
        long before = transport.Dials;
        var passed = TimeSpan.Zero;
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step);
                passed += s_step;
                return transport.Dials >= before + Dials;
            },
            () => $"{Dials} dials in vain; there were {transport.Dials - before}");

        TestContext.Current.TestOutputHelper?.WriteLine($"{Dials} dials of {Dead} dead servers in {passed.TotalSeconds:F1} s");
        Assert.Same(set, channel.Table().Set);
        Assert.True(passed > TimeSpan.FromSeconds(Dials / (double)MostDials), $"{Dials} dials in {passed}: they must not grow with the number of dead servers.");
        Assert.True(Ticker.For(new Clock(_time)).Count < Dead / 2, "each tick looks at every server that is dead");
        Assert.Equal(7, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 })).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Servers_that_are_gone_do_not_delay_the_dials_of_one_that_restarts()
    {
        var (scene, servers, channel, _) = await BeginAsync();
        var table = channel.Table();
        var lost = table.Find(servers[0].Address.ToString())!;
        var gone = table.Find($"mux://{CountingTransport.DeadHost}:1")!;
        long pauseOfOne = table.LeastDialPauseOf(gone) / Dead;

        await servers[0].DisposeAsync();
        await channel.ChoosesAsync(Alive - 1);
        Assert.Equal(pauseOfOne, table.LeastDialPauseOf(lost));
        Assert.Equal((Dead + 1) * pauseOfOne, table.LeastDialPauseOf(gone));

        // Such a jump passes every limit of connections that are in the middle of something: the others are dialed again.
        scene.ExpectedEnds.UnionWith(Enum.GetValues<CloseReason>());
        _time.Advance(TimeSpan.FromMinutes(11)); // it counts as gone
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step);
                return table.LeastDialPauseOf(lost) == (Dead + 1) * pauseOfOne;
            },
            () => $"the pause of {Dead + 1} servers that are gone; it is that of {table.LeastDialPauseOf(lost) / pauseOfOne}");

        StartServer(scene, servers[0].Address);
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step);
                return table.Set.Pickable.Length == Alive;
            },
            "the server that is back");
        Assert.Equal(Dead * pauseOfOne, table.LeastDialPauseOf(gone));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Of_many_servers_that_are_gone_a_subset_finds_all_that_live()
    {
        const int Size = 20;
        var (scene, servers, transport) = BeginWithDead();
        var channel = CreateChannel(scene, servers, transport, Size);
        ((EndpointRouter)channel.Route).Dial();
        var passed = TimeSpan.Zero;
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step);
                passed += s_step;
                return channel.Table().Set.Pickable.Length == Alive;
            },
            () => $"{Alive} open servers of {channel.GetEndpoints().Count}, {channel.Table().Set.Pickable.Length} after {passed}");
        TestContext.Current.TestOutputHelper?.WriteLine($"{Alive} living servers among {Dead} dead ones after {passed.TotalSeconds:F1} s");
        Assert.Equal(7, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 })).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_dial_that_blocks_its_thread_holds_up_no_dial_that_is_due_at_the_same_time()
    {
        var unblocked = new ManualResetEventSlim(); // without a wait handle there is nothing to dispose
        var started = DialTogether(unblocked.Wait);
        try
        {
            await started.ReachAsync(2 * Together);
        }
        finally
        {
            unblocked.Set();
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_dial_does_not_meet_what_another_one_has_left_on_its_thread()
    {
        var trace = new AsyncLocal<bool>();
        int met = 0;
        var started = DialTogether(() =>
        {
            if (trace.Value) Interlocked.Increment(ref met);
            try
            {
                Thread.CurrentThread.Join(0);
            }
            catch (ThreadInterruptedException)
            {
                Interlocked.Increment(ref met);
            }

            trace.Value = true;
            Thread.CurrentThread.Interrupt();
        });
        await started.ReachAsync(5 * Together);
        Assert.Equal(0, met);
    }

    /// <summary>Dials servers that are gone, on the system's clock, on whose thread no dial may block.</summary>
    /// <param name="onStart">Runs in the start of each link except the first ones, which the test's thread starts.</param>
    /// <returns>Counts the starts.</returns>
    private Counter DialTogether(Action onStart)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        var nobody = scene.NobodysAddress();
        var started = new Counter("dials begun");
        int count = 0;
        var transport = new WatchedTransport(scene.Transport, nobody, () =>
        {
            bool isFirst = Interlocked.Increment(ref count) <= Together;
            started.Add(1);
            if (!isFirst) onStart();
        });
        _source.Report([.. Enumerable.Range(1, Together).Select(number => new MuxEndpoint(MuxAddress.Parse($"mux://{CountingTransport.DeadHost}:{number}")))]);
        var channel = scene.CreateChannel(nobody, options =>
        {
            options.Endpoints = _source;
            options.Transport = transport;
            options.TimeProvider = TimeProvider.System;
        });
        ((EndpointRouter)channel.Route).Dial();
        return started;
    }

    private static MuxServer StartServer(Scene scene, MuxAddress? address = null) => scene.StartServer(
        static server => server.AddService<IDesk>(new Desk()), options => options.Address = address?.ToString() ?? options.Address);

    private (Scene Scene, MuxServer[] Servers, CountingTransport Transport) BeginWithDead()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        MuxServer[] servers = [.. Enumerable.Range(0, Alive).Select(_ => StartServer(scene))];
        var nobody = scene.NobodysAddress();
        var transport = new CountingTransport(scene.Transport, nobody);
        _source.Report([
            .. servers.Select(server => new MuxEndpoint(server.Address)),
            .. Enumerable.Range(1, Dead).Select(number => new MuxEndpoint(MuxAddress.Parse($"mux://{CountingTransport.DeadHost}:{number}"))),
        ]);
        return (scene, servers, transport);
    }

    private MuxChannel CreateChannel(Scene scene, MuxServer[] servers, CountingTransport transport, int subset) =>
        scene.CreateChannel(servers[0].Address, options =>
        {
            options.Endpoints = _source;
            options.Transport = transport;
            options.Balancing.SubsetSize = subset;
        });

    private async Task<(Scene Scene, MuxServer[] Servers, MuxChannel Channel, CountingTransport Transport)> BeginAsync()
    {
        var (scene, servers, transport) = BeginWithDead();
        var channel = CreateChannel(scene, servers, transport, subset: 0);
        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step); // a server whose first dial has failed already is dialed after a pause
                return connecting.IsCompleted;
            },
            "a dial of each server");
        await connecting;
        await channel.ChoosesAsync(Alive);
        await Eventually.Holds(
            () => channel.GetEndpoints().Count(static endpoint => endpoint.Failure is not null) == Dead,
            () => $"a dial of each of {Dead} servers that are gone; there were {transport.Dials}");
        return (scene, servers, channel, transport);
    }

    private sealed class CountingTransport(ITransport inner, MuxAddress nobody) : ITransport
    {
        public const string DeadHost = "dead";

        private long _dials;

        public long Dials => Interlocked.Read(ref _dials);

        public Link CreateLink(MuxAddress address)
        {
            if (address.Host != DeadHost) return inner.CreateLink(address);
            Interlocked.Increment(ref _dials);
            return inner.CreateLink(nobody);
        }

        public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);
    }

    /// <summary>Links to nobody, whose starts run code of the test first.</summary>
    private sealed class WatchedTransport(ITransport inner, MuxAddress nobody, Action onStart) : ITransport
    {
        public Link CreateLink(MuxAddress address) => new WatchedLink(onStart, inner.CreateLink(nobody));

        public ITransportListener Listen(MuxAddress address, Action<Link> accepted) => inner.Listen(address, accepted);

        private sealed class WatchedLink(Action onStart, Link inner) : Link
        {
            public override string RemoteAddress => inner.RemoteAddress;

            public override bool HasUndeliveredInput => inner.HasUndeliveredInput;

            public override void Start(ILinkHandler handler)
            {
                onStart();
                inner.Start(handler);
            }

            public override int Send(ReadOnlySpan<byte> bytes) => inner.Send(bytes);

            public override void ShutdownSend() => inner.ShutdownSend();

            public override void Close() => inner.Close();
        }
    }
}
