namespace Mux.Identity;

/// <summary>
/// Creates the credentials that a channel presents to a server: when it connects, and again before a credential expires. Called concurrently, never on a
/// receiving thread.
/// </summary>
public abstract class MuxCredentials
{
    /// <summary>Gets the name of the scheme. The server must offer it.</summary>
    /// <value>1 to 64 of the characters a-z, 0-9, '-' and '.'.</value>
    public abstract string Scheme { get; }

    /// <summary>Creates a credential.</summary>
    /// <param name="request">The server's request.</param>
    /// <param name="cancellationToken">Cancelled when <see cref="MuxOptions.HandshakeTimeout"/> has passed or the connection has ended.</param>
    /// <returns>Up to 8 KiB less the length of the scheme's name. The channel owns the array from now on and wipes it.</returns>
    /// <exception cref="Exception">The credential cannot be created. Calls that wait for the connection fail. The next call tries again after a
    /// pause.</exception>
    public abstract ValueTask<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken cancellationToken);

    /// <summary>
    /// Gets the proof that the server must present when it accepts a credential, for schemes in which the server also proves its identity. The channel ends the
    /// connection if the server presents a different proof.
    /// </summary>
    /// <param name="request">The request for which the credential was created.</param>
    /// <param name="token">The credential, as <see cref="GetTokenAsync"/> returned it.</param>
    /// <returns>32 bytes. Empty by default, for a scheme that proves nothing about the server. Credentials that wrap <see cref="SharedKeyCredentials"/> must
    /// forward this method too.</returns>
    public virtual byte[] GetExpectedProof(CredentialRequest request, ReadOnlySpan<byte> token) => [];

    /// <summary>Name of the credential in messages, without any part of a secret.</summary>
    internal virtual string Description => $"credential of the scheme '{Scheme}'";
}
