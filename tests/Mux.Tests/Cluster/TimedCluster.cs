using Mux.Client;
using Mux.Discovery;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.Cluster;

/// <summary>Three servers and a channel in memory, to which the given steps happen. What is timed must have ended afterwards.</summary>
internal sealed class TimedCluster
{
    private const int Servers = 3;

    private readonly ManualTime _time = new();
    private readonly SimulationPool _pool = new();
    private readonly InMemoryTransport _network;
    private readonly SimulatedServer[] _servers;
    private readonly MuxChannel _channel;
    private readonly IDesk _desk;
    private readonly List<(Task Task, CancellationTokenSource Token)> _open = [];
    private readonly HashSet<EndpointState> _known = [];
    private int _calls;

    private TimedCluster(int seed)
    {
        var random = new Random(seed);
        _network = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true, Seed = seed });
        _servers = [.. Enumerable.Range(0, Servers).Select(number => new SimulatedServer(number, _network, _time, random, []))];
        _channel = MuxChannel.Create(new MuxChannelOptions
        {
            Endpoints = new SilentSource(),
            Transport = _network,
            TimeProvider = _time,
            Dispatch = MuxDispatchMode.Inline,
            AllowPlaintext = true,
            MaxConnections = 1, // the default depends on the machine, and a seed must not
            MaxReconnectDelay = TimeSpan.FromMilliseconds(200),
            Seed = seed,
        });
        _desk = _channel.CreateProxy<IDesk>();
    }

    private EndpointRouter Router => (EndpointRouter)_channel.Route;

    /// <summary>Lets the steps happen, and then everything end.</summary>
    /// <returns>The number of samples that were open, summed over the steps.</returns>
    public static int Run(int seed, IEnumerable<(int Kind, int Pick)> steps)
    {
        var cluster = new TimedCluster(seed);
        int open = 0;
        foreach (var server in cluster._servers) server.Start();
        cluster.Report(cluster._servers);
        foreach (var (kind, pick) in steps)
        {
            cluster.Do(kind, pick);
            cluster._known.UnionWith(cluster.Router.Table.States);
            open += cluster._known.Sum(static state => state.Slowness.OpenCount);
        }

        cluster.Heal();
        cluster.End();
        return open;
    }

    public static string NameOf(int kind) => kind switch
    {
        < 45 => "call",
        < 60 => "move bytes",
        < 70 => "end a handler",
        < 80 => "pass ms",
        < 85 => "cancel",
        < 88 => "stop",
        < 90 => "kill",
        < 97 => "start",
        _ => "report",
    };

    private void Do(int kind, int pick)
    {
        var server = _servers[pick % Servers];
        switch (NameOf(kind))
        {
            case "call": Call(mayExpire: pick % 8 == 0); break;
            case "move bytes": Pump(pick % 40); break;
            case "end a handler" when server.HasRunning: server.EndOne(); break;
            case "pass ms": Advance(pick); break;
            case "cancel" when _open.Count > 0: _open[pick % _open.Count].Token.Cancel(); break;
            case "stop": server.Stop(); break;
            case "kill": server.Kill(); break;
            case "start": server.Start(); break;
            case "report": Report(_servers.Where(other => other != server)); break;
        }

        _pool.AwaitIdle();
    }

    private void Call(bool mayExpire)
    {
        Advance(10); // or it would not be timed
        var token = new CancellationTokenSource();
        using var scope = new MuxCallOptions { Timeout = mayExpire ? TimeSpan.FromMilliseconds(50) : null }.Apply();
        _open.Add((_desk.Ask(new Question { Id = ++_calls }, token.Token).AsTask(), token));
    }

    /// <summary>All servers are up and known, and every call gets its end; then no sample is open, and none tells anything.</summary>
    private void Heal()
    {
        Report(_servers);
        for (int i = 0; i < 2_000 && (_open.Count > 0 || _servers.Any(static server => !server.IsUp || !server.IsQuiet)); i++)
        {
            foreach (var server in _servers)
            {
                server.Start();
                server.EndAll();
            }

            Settle();
            Advance(50);
            _open.RemoveAll(static call => HasEnded(call.Task));
        }

        Assert.True(_open.Count == 0, $"{_open.Count} calls never end.");
        foreach (var state in _known)
        {
            Assert.True(state.Slowness.OpenCount == 0, $"{state.Slowness.OpenCount} timed calls of {state.Name} have not ended.");
            Assert.Equal(state.Slowness.OfRoundTrips, state.Slowness.FactorAt(Router.Clock.Now)); // no age counts anymore
        }
    }

    private static bool HasEnded(Task call)
    {
        _ = call.Exception; // looked at: that it has ended is all that counts
        return call.IsCompleted;
    }

    private void End()
    {
        _channel.Dispose();
        foreach (var server in _servers) server.Kill();
        Settle();
    }

    private void Report(IEnumerable<SimulatedServer> servers) => Router.Apply(new EndpointSet(servers.Select(static server => server.Endpoint)));

    private void Pump(int events)
    {
        for (int i = 0; i < events && _network.PumpOne(); i++)
        {
            // One event after the other.
        }
    }

    private void Settle()
    {
        do _pool.AwaitIdle();
        while (_network.PumpOne());
    }

    private void Advance(int milliseconds)
    {
        _time.Advance(TimeSpan.FromMilliseconds(milliseconds));
        _pool.AwaitIdle();
    }
}
