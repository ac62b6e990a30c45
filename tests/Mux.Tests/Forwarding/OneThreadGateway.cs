using Mux.Tests.Allocation;
using Mux.Transports.InMemory;

namespace Mux.Tests.Forwarding;

/// <summary>A client, a gateway and a service on the thread of the test: what that thread allocates is what the call costs all three.</summary>
internal sealed class OneThreadGateway : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true });
    private readonly MuxServer _service;
    private readonly MuxServer _gateway;
    private readonly MuxChannel _behind;
    private readonly MuxChannel _channel;
    private readonly Action _continue;
    private int _continued;

    public OneThreadGateway(Action<MuxChannelOptions>? client = null, Action<MuxChannelOptions>? behind = null)
    {
        _service = Start(1, server => server.AddService<ISteady>(new Steady()));
        _behind = Connect(1, behind);
        _gateway = Start(2, server => server.AddRoute(new MuxRoute("test.*", _behind)));
        _channel = Connect(2, client);
        Proxy = _channel.CreateProxy<ISteady>();
        _continue = () => _continued++;
    }

    public ISteady Proxy { get; }

    public long Forwarded => _gateway.GetStatistics().CallsCompleted;

    /// <summary>Awaits a call, as async methods do, while all three work.</summary>
    /// <exception cref="InvalidOperationException">It does not end, or the code after it is not run.</exception>
    public T Finish<T>(ValueTask<T> call)
    {
        var awaiter = call.ConfigureAwait(false).GetAwaiter();
        int before = _continued;
        awaiter.UnsafeOnCompleted(_continue);
        _transport.Pump();
        if (_continued != before + 1) throw new InvalidOperationException("The code after the call was not run exactly once.");
        return awaiter.GetResult();
    }

    public void Send(ValueTask call)
    {
        if (!call.IsCompletedSuccessfully) throw new InvalidOperationException("The one-way call was not taken at once.");
        call.GetAwaiter().GetResult();
        _transport.Pump();
    }

    public void Dispose()
    {
        var disposal = Task.WhenAll(_channel.DisposeAsync().AsTask(), _gateway.StopAsync(), _behind.DisposeAsync().AsTask(), _service.StopAsync());
        if (!SpinWait.SpinUntil(() => _transport.Pump() >= 0 && disposal.IsCompleted, s_patience)) throw new TimeoutException("Waited 30 s for the end of all three.");
    }

    private MuxServer Start(int number, Action<MuxServer> add)
    {
        var server = new MuxServer(new MuxServerOptions { Address = $"mux://memory:{number}", Transport = _transport, Dispatch = MuxDispatchMode.Inline });
        add(server);
        server.Start();
        return server;
    }

    private MuxChannel Connect(int number, Action<MuxChannelOptions>? configure)
    {
        var options = new MuxChannelOptions { Address = $"mux://memory:{number}", Transport = _transport, Dispatch = MuxDispatchMode.Inline };
        configure?.Invoke(options);
        return MuxChannel.Create(options);
    }
}
