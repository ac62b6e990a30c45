using Mux.TestSupport.Time;
using Mux.Transports.InMemory;
using Mux.Walk.Tests.Weaving;

namespace Mux.Walk.Tests.Plays;

/// <summary>
/// A server and a channel, and if wanted a gateway between them, whose bytes move when the thread of the test pumps and
/// whose clock stands still: no tick or timer comes between, and unless the mode is the pool, one thread does all that
/// all sides do for a call.
/// </summary>
internal sealed class Theater : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true });
    private readonly ManualTime _time = new();
    private readonly List<Func<Task>> _ends = [];
    private readonly MuxDispatchMode _mode;

    public Theater(MuxDispatchMode mode = MuxDispatchMode.Inline, bool hasFilters = false, bool hasGateway = false)
    {
        _mode = mode;
        Start(1, hasFilters, server => server.AddService<IStage>(new Stage()));
        if (hasGateway) Start(2, hasFilters, server => server.AddRoute(new MuxRoute("walk.*", Connect(1, hasFilters))));
        Proxy = Connect(hasGateway ? 2 : 1, hasFilters).CreateProxy<IStage>();
    }

    public IStage Proxy { get; }

    /// <summary>Moves bytes until nothing moves and a play is over.</summary>
    /// <param name="isOver">Whether it is.</param>
    /// <param name="isQuiet">Whether no other thread works for the play: nothing is moved before.</param>
    public void Pump(Func<bool> isOver, Func<bool>? isQuiet = null)
    {
        bool hasEnded = SpinWait.SpinUntil(() => isQuiet?.Invoke() != false && !PumpOne() && isOver(), s_patience);
        if (!hasEnded) throw new TimeoutException("Waited 30 s for a play.");
    }

    public void Dispose()
    {
        var disposal = Task.WhenAll(_ends.Select(static end => end()));
        Pump(() =>
        {
            // Ends wait for periods of grace.
            _time.Advance(TimeSpan.FromSeconds(1));
            return disposal.IsCompleted;
        });
    }

    private bool PumpOne()
    {
        int before = Probe.Position;
        bool hasMoved = _transport.PumpOne();
        if (!hasMoved) Probe.Drop(before);
        return hasMoved;
    }

    private void Start(int number, bool hasFilters, Action<MuxServer> add)
    {
        var options = new MuxServerOptions
        {
            Address = $"mux://walk:{number}",
            Transport = _transport,
            Dispatch = _mode,
            TimeProvider = _time,
        };
        if (hasFilters) options.Filters.Add(new PassingFilter());
        var server = new MuxServer(options);
        add(server);
        server.Start();
        _ends.Add(() => server.StopAsync());
    }

    private MuxChannel Connect(int number, bool hasFilters)
    {
        var options = new MuxChannelOptions
        {
            Address = $"mux://walk:{number}",
            Transport = _transport,
            Dispatch = _mode,
            TimeProvider = _time,
        };
        if (hasFilters) options.Filters.Add(new PassingFilter());
        var channel = MuxChannel.Create(options);
        _ends.Add(() => channel.DisposeAsync().AsTask());
        return channel;
    }
}
