namespace Mux.Engine;

/// <summary>Provides the credentials of this side, as the user's options say. Implemented above this layer. Safe for concurrent use.</summary>
internal interface ICredentialProvider
{
    /// <summary>The reason why this side ends a connection to a peer that did not ask for its credential; null if it stays.</summary>
    string? WhyNotUnasked { get; }

    /// <summary>Gets the reason why this side does not connect: its credential could be read on the way. Null if it connects. Never throws.</summary>
    /// <param name="remoteAddress">Remote address of the link, empty if it reports none; null before it is started.</param>
    /// <param name="isEncrypted">True if the link is known to be encrypted.</param>
    string? WhyWithheld(string? remoteAddress, bool isEncrypted);

    /// <summary>Makes a credential. Runs user code, on a worker thread.</summary>
    /// <param name="schemes">The schemes that the peer accepts; empty when a credential is renewed.</param>
    /// <param name="nonce">The peer's nonce, which the credential must answer.</param>
    /// <param name="channelBinding">The channel that the credential may be bound to; empty on a link that is not encrypted.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    /// <returns>The payload of AUTH, which the caller wipes, and the proof expected from the peer.</returns>
    /// <exception cref="Exception">There is no credential; the message says why.</exception>
    Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending);
}
