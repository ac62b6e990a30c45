using System.Text;

namespace Mux.Identity;

/// <summary>Presents bearer tokens.</summary>
/// <param name="getToken">Gets a valid token, for example from a cache. Called in the same way as <see cref="MuxCredentials.GetTokenAsync"/>.</param>
public sealed class BearerCredentials(Func<CancellationToken, ValueTask<string>> getToken) : MuxCredentials
{
    private readonly Func<CancellationToken, ValueTask<string>> _getToken = getToken ?? throw new ArgumentNullException(nameof(getToken));

    /// <inheritdoc/>
    public override string Scheme => "bearer";

    internal override string Description => "bearer token";

    /// <inheritdoc/>
    public override async ValueTask<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken cancellationToken) =>
        Encoding.UTF8.GetBytes(await _getToken(cancellationToken).ConfigureAwait(false));
}
