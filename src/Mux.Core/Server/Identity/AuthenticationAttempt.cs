namespace Mux.Identity;

/// <summary>A peer's credential, and the connection on which the peer presents it.</summary>
public sealed class AuthenticationAttempt
{
    /// <summary>
    /// Gets the credential: up to 8 KiB minus the length of the scheme's name. Mux wipes it after the attempt, so copy the parts that you need later, and only
    /// those.
    /// </summary>
    public required ReadOnlyMemory<byte> Token { get; init; }

    /// <summary>Gets the challenge: 32 random bytes that the server created for this credential only.</summary>
    public required ReadOnlyMemory<byte> Challenge { get; init; }

    /// <summary>
    /// Gets the channel binding to the certificate that this side has presented (<see cref="Transports.Link.ChannelBinding"/>); empty if this side does not
    /// terminate TLS.
    /// </summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }

    /// <summary>Gets the address from which the peer connected; empty if there is none.</summary>
    public required string RemoteAddress { get; init; }
}
