using Mux.Transports.InMemory;

namespace Mux.Tests.Allocation;

/// <summary>
/// A server and a channel on the thread of the test, and if wanted a gateway between them: nothing moves but by <see cref="Finish{T}"/>, and everything that each of
/// them does for a call is done there. So what that thread allocates is what the call costs all of them, to the byte.
/// </summary>
internal sealed class OneThread : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true });
    private readonly MuxServer _server; // that the channel calls: the gateway if there is one
    private readonly List<Func<Task>> _ends = [];
    private readonly Action _continue;
    private int _continued;

    public OneThread(Action<MuxChannelOptions>? configure = null, Action<MuxServerOptions>? configureServer = null)
        : this(configure, behind: null, hasGateway: false, configureServer)
    {
    }

    private OneThread(Action<MuxChannelOptions>? configure, Action<MuxChannelOptions>? behind, bool hasGateway, Action<MuxServerOptions>? configureServer = null)
    {
        _server = Start(1, server => server.AddService<ISteady>(Service), configureServer);
        if (hasGateway)
        {
            var channel = Connect(1, behind);
            _server = Start(2, server => server.AddRoute(new MuxRoute("test.*", channel)));
        }

        Proxy = Connect(hasGateway ? 2 : 1, configure).CreateProxy<ISteady>();
        _continue = () => _continued++;
    }

    /// <summary>Puts a gateway between channel and server.</summary>
    /// <param name="client">Configures the channel that makes the calls.</param>
    /// <param name="behind">Configures that of the gateway.</param>
    public static OneThread WithGateway(Action<MuxChannelOptions>? client = null, Action<MuxChannelOptions>? behind = null) => new(client, behind, hasGateway: true);

    public Steady Service { get; } = new();

    public ISteady Proxy { get; }

    /// <summary>Awaits a call, as async methods do, while both sides work; <paramref name="answer"/> is what happens when the request has come to its handler.</summary>
    /// <exception cref="InvalidOperationException">It does not end, or the code after it is not run.</exception>
    public T Finish<T>(ValueTask<T> call, Action? answer = null)
    {
        var awaiter = call.ConfigureAwait(false).GetAwaiter();
        int before = _continued;
        awaiter.UnsafeOnCompleted(_continue);
        _transport.Pump();
        if (answer is not null)
        {
            answer();
            _transport.Pump();
        }

        if (_continued != before + 1) throw new InvalidOperationException("The code after the call was not run exactly once.");
        return awaiter.GetResult();
    }

    /// <inheritdoc cref="Finish{T}"/>
    public void Finish(ValueTask call)
    {
        var awaiter = call.ConfigureAwait(false).GetAwaiter();
        int before = _continued;
        awaiter.UnsafeOnCompleted(_continue);
        _transport.Pump();
        if (_continued != before + 1) throw new InvalidOperationException("The code after the call was not run exactly once.");
        awaiter.GetResult();
    }

    /// <summary>Hands over a one-way call, which is complete then, and lets it arrive.</summary>
    public void Send(ValueTask call)
    {
        if (!call.IsCompletedSuccessfully) throw new InvalidOperationException("The one-way call was not taken at once.");
        call.GetAwaiter().GetResult();
        _transport.Pump();
    }

    public long Served => _server.GetStatistics().CallsCompleted;

    public void Dispose()
    {
        var disposal = Task.WhenAll(_ends.Select(static end => end()));
        if (!SpinWait.SpinUntil(() => _transport.Pump() >= 0 && disposal.IsCompleted, s_patience)) throw new TimeoutException("Waited 30 s for the end of servers and channels.");
    }

    private MuxServer Start(int number, Action<MuxServer> add, Action<MuxServerOptions>? configure = null)
    {
        var options = new MuxServerOptions { Address = $"mux://memory:{number}", Transport = _transport, Dispatch = MuxDispatchMode.Inline };
        configure?.Invoke(options);
        var server = new MuxServer(options);
        add(server);
        server.Start();
        _ends.Add(() => server.StopAsync());
        return server;
    }

    private MuxChannel Connect(int number, Action<MuxChannelOptions>? configure)
    {
        var options = new MuxChannelOptions { Address = $"mux://memory:{number}", Transport = _transport, Dispatch = MuxDispatchMode.Inline };
        configure?.Invoke(options);
        var channel = MuxChannel.Create(options);
        _ends.Add(() => channel.DisposeAsync().AsTask());
        return channel;
    }
}
