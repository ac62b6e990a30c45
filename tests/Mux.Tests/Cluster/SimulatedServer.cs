using Mux.Discovery;
using Mux.TestSupport.Time;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.InMemory;

namespace Mux.Tests.Cluster;

/// <summary>A server of a simulation, which is stopped, killed and started again at the same address.</summary>
internal sealed class SimulatedServer
{
    private readonly InMemoryTransport _transport;
    private readonly ManualTime _time;
    private readonly Random _random;
    private readonly Desk _desk = new();
    private readonly List<Task> _stops = [];
    private readonly List<(int Nonce, TaskCompletionSource<Answer> End)> _running = [];
    private readonly int _maxCalls; // few at some servers: calls wait there, too
    private MuxServer? _server;

    public SimulatedServer(int number, InMemoryTransport transport, ManualTime time, Random random, Dictionary<int, int> executions)
    {
        (_transport, _time, _random) = (transport, time, random);
        _maxCalls = random.Next(2) == 0 ? random.Next(1, 4) : 1_000;
        Endpoint = new MuxEndpoint(MuxAddress.Parse($"mux://server:{number + 1}")) { Instance = $"server {number}" };
        _desk.OnAsk = (question, _) =>
        {
            executions[question.Id] = executions.GetValueOrDefault(question.Id) + 1;
            if (_random.Next(100) < FailingPercent) throw new MuxException(MuxStatus.Unavailable, "The simulation fails this call.");
            if (_random.Next(3) > 0) return new ValueTask<Answer>(new Answer { Id = question.Id });
            var end = new TaskCompletionSource<Answer>();
            _running.Add((question.Id, end));
            return new ValueTask<Answer>(end.Task);
        };
    }

    public MuxEndpoint Endpoint { get; }

    /// <summary>The share of the calls that its handlers fail.</summary>
    public int FailingPercent { get; set; }

    public bool IsUp => _server is not null;

    public bool HasRunning => _running.Count > 0;

    /// <summary>Everything that was stopped has ended.</summary>
    public bool IsQuiet => _running.Count == 0 && _stops.TrueForAll(stop => stop.IsCompleted);

    /// <summary>Starts it, unless it is up, or still serves after it was told to stop.</summary>
    public void Start()
    {
        if (_server is not null) return;
        var server = new MuxServer(new MuxServerOptions
        {
            Address = Endpoint.Address.ToString(),
            Transport = _transport,
            TimeProvider = _time,
            Dispatch = MuxDispatchMode.Inline,
            AllowPlaintext = true,
            DrainTimeout = TimeSpan.FromSeconds(30),
            StopDelay = TimeSpan.FromMilliseconds(_random.Next(2) * _random.Next(1_000)),
            MaxCallsPerConnection = _maxCalls,
        }).AddService<IDesk>(_desk);
        try
        {
            server.Start();
            _server = server;
        }
        catch (IOException)
        {
            server.Dispose(); // its address is taken until the delay of the last stop has passed
        }
    }

    /// <summary>Lets it serve for its stop delay, and drains it: no call may be lost by that.</summary>
    public void Stop()
    {
        if (_server is not { } server) return;
        _server = null;
        _stops.Add(server.StopAsync());
    }

    /// <summary>Ends it without a word to anybody: what it has sent and nobody has received is lost, too.</summary>
    public void Kill()
    {
        if (_server is not { } server) return;
        _server = null;
        foreach (var connection in _transport.Connections.Where(connection => connection.Address == Endpoint.Address)) connection.Reset();
        server.Dispose();
    }

    /// <summary>Lets all of its handlers end.</summary>
    public void EndAll()
    {
        while (HasRunning) EndOne();
    }

    /// <summary>Lets one of its handlers end.</summary>
    public void EndOne()
    {
        int index = _random.Next(_running.Count);
        var (nonce, end) = _running[index];
        _running.RemoveAt(index);
        end.SetResult(new Answer { Id = nonce });
    }
}
