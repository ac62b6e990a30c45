using Microsoft.Extensions.DependencyInjection;

namespace Mux.Hosting;

/// <summary>The instance of a service that belongs to one connection, with its scope: a state of the connection, which is disposed with it.</summary>
internal sealed class PeerInstance<TImplementation> : IAsyncDisposable
    where TImplementation : class
{
    private readonly AsyncServiceScope _scope;

    private PeerInstance(MuxPeer peer, IServiceScopeFactory scopes)
    {
        _scope = scopes.CreateAsyncScope();
        try
        {
            _scope.ServiceProvider.GetRequiredService<PeerOfScope>().Peer = peer;
            Service = _scope.ServiceProvider.GetRequiredService<TImplementation>();
        }
        catch
        {
            _scope.Dispose();
            throw;
        }
    }

    public TImplementation Service { get; }

    /// <summary>Gets the instance of a peer; makes it at first.</summary>
    public static PeerInstance<TImplementation> Of(MuxPeer peer, IServiceScopeFactory scopes) =>
        peer.State(() => new PeerInstance<TImplementation>(peer, scopes));

    public ValueTask DisposeAsync() => _scope.DisposeAsync();
}

/// <summary>The peer to which a scope belongs.</summary>
internal sealed class PeerOfScope
{
    public MuxPeer? Peer { get; set; }

    /// <exception cref="InvalidOperationException">The scope belongs to no peer.</exception>
    public MuxPeer Require() => Peer ?? throw new InvalidOperationException(
        "A MuxPeer was injected where no connection is: only services that were added with AddPeerService, and what they use, can take one.");
}
