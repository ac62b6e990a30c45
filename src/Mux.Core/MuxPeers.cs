using System.Collections;
using System.Diagnostics.CodeAnalysis;
using Mux.Calls;

namespace Mux;

/// <summary>
/// The clients that are connected to a server at this moment: one peer for each open connection. <see cref="MuxServer.Peers"/> has them; in a host, any service
/// can take this class as a dependency. Safe for concurrent use.
/// </summary>
/// <remarks>
/// There are at most <see cref="MuxServerOptions.MaxConnections"/> peers. A server lists them from the first use of this object on, which costs some 300 bytes
/// for each; before that, connections cost nothing for it. A peer is listed from the end of its handshake to the end of its connection, also while the
/// connection drains. <see cref="MuxPeers{TService}"/> calls the clients of other servers, too.
/// </remarks>
[SuppressMessage("Naming", "CA1710", Justification = "A view of a server, to which no code adds.")]
public sealed class MuxPeers : IReadOnlyCollection<MuxPeer>
{
    /// <summary>Creates an object without peers, which is of use in tests: a server has its own.</summary>
    public MuxPeers()
    {
    }

    internal PeerSet Set { get; } = new();

    /// <summary>Gets the number of peers.</summary>
    public int Count => Set.Count;

    /// <summary>Finds a peer by its <see cref="MuxPeer.Id"/>.</summary>
    /// <returns>Null if no connection has this id, or no longer.</returns>
    public MuxPeer? Find(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        return Set.Find(id);
    }

    /// <summary>Gets the peers of a user: one for each of the user's connections.</summary>
    /// <param name="name">The name of <see cref="MuxPeer.User"/> (<see cref="System.Security.Principal.IIdentity.Name"/>) with which the connections were
    /// opened. Upper and lower case differ.</param>
    /// <returns>A copy, empty if the user is not connected. Peers without a name belong to no user.</returns>
    public IReadOnlyList<MuxPeer> OfUser(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Set.OfUser(name);
    }

    /// <summary>Enumerates a copy of all peers, made when the enumeration begins.</summary>
    public IEnumerator<MuxPeer> GetEnumerator() => ((IEnumerable<MuxPeer>)Set.All()).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
