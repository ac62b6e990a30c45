namespace Mux.Sessions.Setup;

/// <summary>Says who this side is: above this layer, what the user's options say. Safe for concurrent use.</summary>
internal interface ICredentialProvider
{
    /// <summary>Why this side does not stay with a peer that did not ask for its credential; null if it does.</summary>
    string? WhyNotUnasked { get; }

    /// <summary>Why this side does not connect, because its credential could be read on the way; null if it does. Never throws.</summary>
    /// <param name="remoteAddress">Where the link leads; empty before it is started.</param>
    /// <param name="isEncrypted">Whether the link is known to be encrypted.</param>
    string? WhyWithheld(string remoteAddress, bool isEncrypted);

    /// <summary>Runs user code, on a thread that nobody else needs.</summary>
    /// <param name="schemes">What the peer takes; empty when it asks again.</param>
    /// <param name="nonce">What a credential has to be fresh for.</param>
    /// <param name="channelBinding">What a credential may be bound to; empty on a link that is not encrypted.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    /// <returns>The payload of AUTH is the caller's to wipe.</returns>
    /// <exception cref="Exception">There is none; the message says why.</exception>
    Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending);
}
