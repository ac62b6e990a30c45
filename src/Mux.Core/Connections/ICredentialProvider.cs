namespace Mux.Connections;

/// <summary>Says who this side is: above this layer, what the user's options say. Safe for concurrent use.</summary>
internal interface ICredentialProvider
{
    /// <summary>Runs user code, on a thread that nobody else needs.</summary>
    /// <param name="schemes">What the peer takes; empty when it asks again.</param>
    /// <param name="nonce">What a credential has to be fresh for.</param>
    /// <param name="channelBinding">What a credential may be bound to; empty on a link that is not encrypted.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    /// <returns>The payload of AUTH, the caller's to wipe.</returns>
    /// <exception cref="Exception">There is none; the message says why.</exception>
    Task<byte[]> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending);
}
