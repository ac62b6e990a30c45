namespace Mux.Identity;

/// <summary>Looks at the credentials of one scheme at a server. Called concurrently, never by a thread that receives.</summary>
/// <remarks>
/// A call may take <see cref="MuxIdentityOptions.AuthenticationTimeout"/>, and as many run at a time as
/// <see cref="MuxIdentityOptions.MaxConcurrentAuthentications"/> says; one that does not end keeps its place. What it throws goes to the log, and the peer is
/// refused.
/// </remarks>
public abstract class MuxAuthenticator
{
    /// <summary>What clients call the scheme.</summary>
    /// <value>1 to 64 of the characters a-z, 0-9, '-' and '.'.</value>
    public abstract string Scheme { get; }

    /// <summary>Finds out who a peer is.</summary>
    /// <param name="attempt">What the peer has shown. Its memory is wiped when this has ended.</param>
    /// <param name="cancellationToken">Fires when the time is over or the peer has gone.</param>
    public abstract ValueTask<AuthenticationResult> AuthenticateAsync(AuthenticationAttempt attempt, CancellationToken cancellationToken);
}
