using Mux.Transports;

namespace Mux.TestSupport.Transports;

/// <summary>A listener and one connection to it. Disposing closes both links, waits for their end, and checks the promises of the transport.</summary>
public sealed class LinkPair : IAsyncDisposable
{
    private readonly Signal _accepted = new("the listener handed over a link");
    private Link? _acceptedLink;

    private LinkPair(LinkProbe dialer, LinkProbe acceptor)
    {
        Dialer = dialer;
        Acceptor = acceptor;
    }

    public LinkProbe Dialer { get; }

    public LinkProbe Acceptor { get; }

    public ITransportListener Listener { get; private set; } = null!;

    /// <summary>Connects two probes and waits until both know.</summary>
    public static async Task<LinkPair> ConnectAsync(ITransport transport, MuxAddress address, LinkProbe? dialer = null, LinkProbe? acceptor = null)
    {
        var pair = await DialAsync(transport, address, dialer, acceptor);
        pair.StartAcceptor();
        await pair.Acceptor.Connected.WaitAsync();
        return pair;
    }

    /// <summary>The same with an accepted link that is not started yet, so that nobody reads what the dialer sends.</summary>
    public static async Task<LinkPair> DialAsync(ITransport transport, MuxAddress address, LinkProbe? dialer = null, LinkProbe? acceptor = null)
    {
        var pair = new LinkPair(dialer ?? new LinkProbe("dialer"), acceptor ?? new LinkProbe("acceptor"));
        pair.Listener = transport.Listen(address, pair.OnAccepted);
        pair.Dialer.Start(transport.CreateLink(pair.Listener.Address));
        await pair.Dialer.Connected.WaitAsync();
        await pair._accepted.WaitAsync();
        return pair;
    }

    public void StartAcceptor() => Acceptor.Start(_acceptedLink!);

    public async ValueTask DisposeAsync()
    {
        Dialer.Close();
        if (!Acceptor.IsStarted) Acceptor.Start(_acceptedLink!);
        Acceptor.Close();
        await Dialer.Closed.WaitAsync();
        await Acceptor.Closed.WaitAsync();
        Listener.Dispose();
        Dialer.AssertSound();
        Acceptor.AssertSound();
    }

    private void OnAccepted(Link link)
    {
        _acceptedLink = link;
        _accepted.Set();
    }
}
