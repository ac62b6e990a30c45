namespace Mux.Identity;

/// <summary>What a server wants a credential for.</summary>
public sealed class CredentialRequest
{
    /// <summary>32 bytes that the server made for this credential and uses for no other.</summary>
    public required ReadOnlyMemory<byte> Challenge { get; init; }

    /// <summary>
    /// The certificate that the server has shown (<see cref="Transports.Link.ChannelBinding"/>); empty where this side sees no TLS. A credential made from it
    /// is of no use on another connection with TLS.
    /// </summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }
}
