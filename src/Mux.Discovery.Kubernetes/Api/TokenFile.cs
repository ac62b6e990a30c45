using System.Net.Http.Headers;
using k8s.Authentication;

namespace Mux.Discovery.Kubernetes.Api;

/// <summary>The token of a service account. The kubelet replaces the file long before the token expires, so it is read again each minute.</summary>
/// <remarks>Belongs to one watch; not safe for concurrent use.</remarks>
internal sealed class TokenFile(string path, TimeProvider time) : ITokenProvider
{
    /// <summary>The longest time for which a token is used without a look at the file.</summary>
    public static readonly TimeSpan Lifetime = TimeSpan.FromMinutes(1);

    private AuthenticationHeaderValue? _header;
    private long _readAt;

    /// <summary>Reads the file before the next request: the API server has refused the token.</summary>
    public void Forget() => _header = null;

    /// <exception cref="IOException">The file cannot be read, or is empty. The message contains its path, and nothing of a token.</exception>
    public async Task<AuthenticationHeaderValue> GetAuthenticationHeaderAsync(CancellationToken cancellationToken)
    {
        if (_header is not null && time.GetElapsedTime(_readAt) < Lifetime) return _header;
        var token = (await File.ReadAllTextAsync(path, cancellationToken).ConfigureAwait(false)).Trim();
        if (token.Length == 0 || token.Any(static c => c is <= ' ' or > '~'))
            throw new IOException($"The file '{path}' is not a token: expected one word of ASCII.");
        _readAt = time.GetTimestamp();
        return _header = new AuthenticationHeaderValue("Bearer", token);
    }
}
