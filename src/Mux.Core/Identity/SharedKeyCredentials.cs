namespace Mux.Identity;

/// <summary>Shows that the channel has a key that the server has too. The key itself is not sent, and what is sent is of use for one challenge.</summary>
/// <param name="key">The server has one of the same id.</param>
public sealed class SharedKeyCredentials(SharedKey key) : Credentials
{
    private readonly SharedKey _key = key ?? throw new ArgumentNullException(nameof(key));

    /// <inheritdoc/>
    public override string Scheme => SharedKeyProof.Scheme;

    /// <inheritdoc/>
    public override ValueTask<byte[]> GetTokenAsync(ReadOnlyMemory<byte> challenge, CancellationToken cancellationToken) => new(SharedKeyProof.Make(_key, challenge.Span));
}
