namespace Mux.Identity;

/// <summary>Validates the credentials of one scheme at a server. Called concurrently, never on a receiving thread.</summary>
/// <remarks>
/// A call may take up to <see cref="MuxIdentityOptions.AuthenticationTimeout"/>, and at most <see cref="MuxIdentityOptions.MaxConcurrentAuthentications"/>
/// calls run concurrently. A call that does not return continues to count. If a call throws, Mux logs the exception and rejects the peer.
/// </remarks>
public abstract class MuxAuthenticator
{
    /// <summary>Gets the name of the scheme. Clients send it with the credential.</summary>
    /// <value>1 to 64 of the characters a-z, 0-9, '-' and '.'.</value>
    public abstract string Scheme { get; }

    /// <summary>Authenticates a peer.</summary>
    /// <param name="attempt">The credential. Its memory is wiped when the call has ended.</param>
    /// <param name="cancellationToken">Cancelled when <see cref="MuxIdentityOptions.AuthenticationTimeout"/> has passed or the peer has disconnected.</param>
    public abstract ValueTask<AuthenticationResult> AuthenticateAsync(AuthenticationAttempt attempt, CancellationToken cancellationToken);
}
