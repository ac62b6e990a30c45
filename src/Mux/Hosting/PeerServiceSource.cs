using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using Mux.Services;

namespace Mux.Hosting;

/// <summary>Provides the instance of the connection on which a call comes.</summary>
internal sealed class PeerServiceSource<TContract, TImplementation>(IServiceScopeFactory scopes) : ServiceSource<TContract>
    where TContract : class
    where TImplementation : class, TContract
{
    public override Type ImplementationType => typeof(TImplementation);

    public override bool TakesCaller => true;

    public override ServiceLease<TContract> Open() =>
        throw new InvalidOperationException($"{typeof(TImplementation)} belongs to a connection, and there is none.");

    public override ServiceLease<TContract> Open(MuxPeer caller) => new(PeerInstance<TImplementation>.Of(caller, scopes).Service, null);
}

/// <summary>Makes the instance of each connection that opens, and tells it of the connection and of its end.</summary>
internal sealed class PeerServiceEvents<TImplementation>(IServiceScopeFactory scopes) : IMuxPeerEvents
    where TImplementation : class
{
    private readonly ConditionalWeakTable<MuxPeer, IMuxPeerEvents> _told = [];

    public ValueTask OnConnectedAsync(MuxPeer peer, CancellationToken cancellationToken)
    {
        var events = (IMuxPeerEvents)PeerInstance<TImplementation>.Of(peer, scopes).Service;
        _told.Add(peer, events);
        return events.OnConnectedAsync(peer, cancellationToken);
    }

    public ValueTask OnDisconnectedAsync(MuxPeer peer, string reason) =>
        _told.TryGetValue(peer, out var events) ? events.OnDisconnectedAsync(peer, reason) : default;
}
