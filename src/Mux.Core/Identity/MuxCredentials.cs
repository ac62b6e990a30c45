namespace Mux.Identity;

/// <summary>
/// Makes what a channel shows to a server that asks who it is. Called concurrently, by no thread that receives: when a connection is made, and again before
/// what was shown expires.
/// </summary>
public abstract class MuxCredentials
{
    /// <summary>What servers call the scheme.</summary>
    /// <value>1 to 64 of the characters a-z, 0-9, '-' and '.'.</value>
    public abstract string Scheme { get; }

    /// <summary>Makes a credential.</summary>
    /// <param name="request">What it is for.</param>
    /// <param name="cancellationToken">Fires when <see cref="MuxOptions.HandshakeTimeout"/> is over or the connection is.</param>
    /// <returns>Up to 8 KiB less the name of the scheme. The channel's from now on, which wipes it.</returns>
    /// <exception cref="Exception">There is none: calls that wait for the connection fail, and the next one tries again after a pause.</exception>
    public abstract ValueTask<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken cancellationToken);

    /// <summary>
    /// Gets what the server has to show when it takes a credential, for schemes by which the server proves itself as well. The channel ends a connection whose
    /// server shows something else.
    /// </summary>
    /// <param name="request">What the credential was made for.</param>
    /// <param name="token">The credential, as <see cref="GetTokenAsync"/> returned it.</param>
    /// <returns>32 bytes; empty, which is the default, for a scheme that proves nothing of the server. Credentials that pass on to
    /// <see cref="SharedKeyCredentials"/> pass this on too.</returns>
    public virtual byte[] GetExpectedProof(CredentialRequest request, ReadOnlySpan<byte> token) => [];

    /// <summary>What messages call it; nothing of a secret.</summary>
    internal virtual string Description => $"credential of the scheme '{Scheme}'";
}
