namespace Mux.Identity;

/// <summary>A server's request for a credential.</summary>
public sealed class CredentialRequest
{
    /// <summary>Gets the challenge: 32 bytes that the server created for this credential only.</summary>
    public required ReadOnlyMemory<byte> Challenge { get; init; }

    /// <summary>
    /// Gets the channel binding to the certificate that the server has presented (<see cref="Transports.Link.ChannelBinding"/>); empty if this side does not
    /// terminate TLS. A credential that includes it is not valid on a connection with another certificate.
    /// </summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }
}
