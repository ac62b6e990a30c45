using Mux.Server;

namespace Mux.Identity;

/// <summary>
/// Proves that the channel has a key that it shares with the server. The key itself is never sent. In return, the server must prove that it has the key;
/// otherwise the channel ends the connection.
/// </summary>
/// <remarks>
/// A proof is valid for one challenge only and, over TLS, only for the certificate that this channel has seen. So a server that receives a proof cannot use it
/// at another server with the same key.
/// </remarks>
/// <param name="key">The key; the server has a key with the same id.</param>
public sealed class SharedKeyCredentials(SharedKey key) : MuxCredentials
{
    private readonly SharedKey _key = key ?? throw new ArgumentNullException(nameof(key));

    /// <inheritdoc/>
    public override string Scheme => SharedKeyProof.Scheme;

    /// <summary>
    /// Gets a value indicating whether proofs are bound to the server's TLS certificate. Set it to false if a proxy, such as a load balancer, terminates TLS:
    /// the server behind the proxy does not see the certificate and rejects bound proofs. With false, the proxy could use a proof at another server with the
    /// same key. Servers that terminate TLS themselves reject such a proof.
    /// </summary>
    /// <value>True by default. Without TLS, proofs are never bound.</value>
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
