using System.Text;

namespace Mux.Identity;

/// <summary>Shows bearer tokens.</summary>
/// <param name="getToken">Gets a token that is in force, from a cache for example. Called as <see cref="MuxCredentials.GetTokenAsync"/> is.</param>
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
