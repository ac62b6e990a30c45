using Mux.Transports;

namespace Mux.Engine;

/// <summary>The evidence for one decision: either a credential or an identity.</summary>
/// <param name="RemoteAddress">Address of the peer.</param>
/// <param name="Credential">The payload of the peer's AUTH; empty for an identity. Owned by this decision.</param>
/// <param name="Nonce">The nonce that the AUTH answers.</param>
/// <param name="Identity">The identity that the link gives to the peer.</param>
internal sealed record PeerEvidence(string RemoteAddress, byte[] Credential, byte[] Nonce, PeerIdentity? Identity)
{
    /// <summary>Names the peer in logs.</summary>
    public string Place { get; init; } = RemoteAddress;

    /// <summary>Channel binding of the link.</summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }

    /// <summary>True if the peer was admitted before and renews its credential.</summary>
    public bool Renews { get; init; }
}
