using Mux.Connections;
using Mux.Wire;

namespace Mux.Identity;

/// <summary>Says who a channel is, by the credentials of its options. Safe for concurrent use.</summary>
/// <param name="credentials">The user's.</param>
/// <param name="timeout">How long they may take.</param>
/// <param name="timeProvider">For that.</param>
internal sealed class CredentialProvider(Credentials credentials, TimeSpan timeout, TimeProvider timeProvider) : ICredentialProvider
{
    public async Task<byte[]> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending)
    {
        if (!schemes.Contains(credentials.Scheme, StringComparer.Ordinal))
            throw new InvalidOperationException($"The server takes the schemes '{string.Join("', '", schemes)}', and the channel has credentials of the scheme '{credentials.Scheme}'.");
        var token = await GetTokenAsync(new CredentialRequest { Challenge = nonce, ChannelBinding = channelBinding }, ending).ConfigureAwait(false);
        try
        {
            int most = AuthCredential.MaxLength - 1 - credentials.Scheme.Length;
            if (token.Length > most) throw new InvalidOperationException($"The token is {token.Length} bytes long; at most {most} are sent.");
            return AuthCredential.Make(credentials.Scheme, token);
        }
        finally
        {
            Array.Clear(token);
        }
    }

    private async Task<byte[]> GetTokenAsync(CredentialRequest request, CancellationToken ending)
    {
        using var limit = new CancellationTokenSource(timeout, timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, ending);
        var cancellationToken = either.Token;
        try
        {
            return await Task.Run(() => credentials.GetTokenAsync(request, cancellationToken).AsTask(), CancellationToken.None).WaitAsync(cancellationToken).ConfigureAwait(false); // user code may block
        }
        catch (OperationCanceledException e) when (limit.IsCancellationRequested)
        {
            throw new TimeoutException($"The credentials took longer than {timeout}.", e);
        }
    }
}
