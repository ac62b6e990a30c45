namespace Mux.Identity;

/// <summary>A server's request for a credential.</summary>
public sealed class CredentialRequest
{
    /// <summary>Gets the challenge: 32 bytes that the server created for this credential only.</summary>
    public required ReadOnlyMemory<byte> Challenge { get; init; }

    /// <summary>
    /// Gets the channel binding to the certificate that the server has presented (<see cref="Transports.Link.ChannelBinding"/>); empty if this side sees no
    /// TLS. A credential that depends on it is of no use on another TLS connection.
    /// </summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }
}
