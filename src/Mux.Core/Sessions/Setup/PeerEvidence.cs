using Mux.Transports;

namespace Mux.Sessions.Setup;

/// <summary>What one decision is made from: either a credential or an identity.</summary>
/// <param name="RemoteAddress">Where the peer is.</param>
/// <param name="Credential">The payload of its AUTH; empty for an identity. This decision's own.</param>
/// <param name="Nonce">What its AUTH answers.</param>
/// <param name="Identity">Who the link says it is.</param>
internal sealed record PeerEvidence(string RemoteAddress, byte[] Credential, byte[] Nonce, PeerIdentity? Identity)
{
    /// <summary>Of the link that it came by.</summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }

    /// <summary>Whether the peer was let in before, and shows that it may stay.</summary>
    public bool Renews { get; init; }
}
