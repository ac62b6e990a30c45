using Mux.ProtocolCases.Calling;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Serving;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Spec.Clients;

/// <summary>The client of Mux in its loop of rounds, and the listener that it dials, as long as the tests run.</summary>
public sealed class ClientFixture : IAsyncDisposable
{
    private static readonly TimeSpan s_notice = TimeSpan.FromSeconds(1); // how soon the client notices silence

    private readonly SocketTransport _transport = new();
    private readonly CancellationTokenSource _end = new();
    private readonly Task _running;
    private ClientTarget? _target;

    public ClientFixture()
    {
        Arrivals = new ClientArrivals(_transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        _running = Task.Run(() => new SpecClient(_transport, MakeChannel, Awaited.Patience).RunAsync(_end.Token));
    }

    internal ClientArrivals Arrivals { get; }

    /// <summary>The client, asked when the first test needs it; tests run one after another.</summary>
    internal async Task<ClientTarget> TargetAsync()
    {
        using var deadline = new CancellationTokenSource(Awaited.Patience);
        return _target ??= await ClientTarget.AskAsync(Arrivals, deadline.Token);
    }

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
            HandshakeTimeout = s_notice,
            StallTimeout = s_notice,
            DrainTimeout = TimeSpan.Zero,
        };
        options.AddService<ISpec>(new SpecService());
        return MuxChannel.Create(options);
    }
}
