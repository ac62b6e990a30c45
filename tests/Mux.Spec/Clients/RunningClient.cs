using Mux.ProtocolCases.Calling;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Serving;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Spec.Clients;

/// <summary>The client of Mux in its loop of rounds, and the listener that it dials.</summary>
internal sealed class RunningClient : IAsyncDisposable
{
    private readonly SocketTransport _transport = new();
    private readonly CancellationTokenSource _end = new();
    private readonly TimeSpan _handshake, _stall;
    private readonly Task _running;

    /// <param name="handshake">How soon it gives up a handshake.</param>
    /// <param name="stall">How soon it gives up a frame that was begun.</param>
    public RunningClient(TimeSpan handshake, TimeSpan stall)
    {
        (_handshake, _stall) = (handshake, stall);
        Arrivals = new ClientArrivals(_transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        _running = Task.Run(() => new SpecClient(_transport, MakeChannel, Awaited.Patience).RunAsync(_end.Token));
    }

    public ClientArrivals Arrivals { get; }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _running.ContinueWith(_ => { }, TaskScheduler.Default).Within("the end of the client");
        Arrivals.Dispose();
        _end.Dispose();
    }

    /// <summary>It serves something, so that the cases about calls to a client concern it.</summary>
    private MuxChannel MakeChannel(ITransport transport)
    {
        var options = new MuxChannelOptions
        {
            Address = Arrivals.Address.ToString(),
            Transport = transport,
            HandshakeTimeout = _handshake,
            StallTimeout = _stall,
            DrainTimeout = TimeSpan.Zero,
        };
        options.AddService<ISpec>(new SpecService());
        return MuxChannel.Create(options);
    }
}
