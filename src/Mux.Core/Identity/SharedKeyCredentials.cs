namespace Mux.Identity;

/// <summary>
/// Shows that the channel has a key that the server has too. The key itself is not sent, and what is sent is of use for one challenge, and over TLS for the
/// certificate that this channel has seen: a server that has the key as well cannot pass it on to another one. A server that takes it proves in return that it
/// has the key; the channel ends the connection to one that does not.
/// </summary>
/// <param name="key">The server has one of the same id.</param>
public sealed class SharedKeyCredentials(SharedKey key) : MuxCredentials
{
    private readonly SharedKey _key = key ?? throw new ArgumentNullException(nameof(key));

    /// <inheritdoc/>
    public override string Scheme => SharedKeyProof.Scheme;

    /// <summary>
    /// Whether what is shown holds for the certificate alone that the server has shown by TLS. False is for servers behind something else that ends TLS, such
    /// as a load balancer, and do not see the certificate; they refuse what is bound. Whoever ends TLS can then pass on what it is shown, and servers that end
    /// TLS themselves refuse it.
    /// </summary>
    /// <value>True by default. Without TLS nothing is bound, whatever this says.</value>
    public bool BindToTls { get; init; } = true;

    internal override string Description => $"proof of the shared key '{_key.Id}'";

    /// <inheritdoc/>
    public override ValueTask<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        return new(SharedKeyProof.Make(_key, request.Challenge.Span, BindToTls ? request.ChannelBinding.Span : default));
    }

    /// <inheritdoc/>
    public override byte[] GetExpectedProof(CredentialRequest request, ReadOnlySpan<byte> token)
    {
        ArgumentNullException.ThrowIfNull(request);
        return SharedKeyProof.MakeAnswer(_key, token, request.Challenge.Span, BindToTls ? request.ChannelBinding.Span : default);
    }
}
