using Mux.Transports.InMemory;

namespace Mux.Tests.Allocation;

/// <summary>
/// A server and a channel on the thread of the test: nothing moves but by <see cref="Finish{T}"/>, and everything that either side does for a call is done there. So what
/// that thread allocates is what the call costs both sides, to the byte.
/// </summary>
internal sealed class OneThread : IDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    private readonly InMemoryTransport _transport = new(new InMemoryTransportOptions { ManualPump = true });
    private readonly MuxServer _server;
    private readonly MuxChannel _channel;
    private readonly Action _continue;
    private int _continued;

    public OneThread(Action<MuxChannelOptions>? configure = null)
    {
        _server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", Transport = _transport, Dispatch = MuxDispatchMode.Inline }).AddService<ISteady>(Service);
        _server.Start();
        var options = new MuxChannelOptions { Address = "mux://memory:1", Transport = _transport, Dispatch = MuxDispatchMode.Inline };
        configure?.Invoke(options);
        _channel = MuxChannel.Create(options);
        Proxy = _channel.CreateProxy<ISteady>();
        _continue = () => _continued++;
    }

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
        var disposal = Task.WhenAll(_channel.DisposeAsync().AsTask(), _server.StopAsync());
        if (!SpinWait.SpinUntil(() => _transport.Pump() >= 0 && disposal.IsCompleted, s_patience)) throw new TimeoutException("Waited 30 s for the end of server and channel.");
    }
}
