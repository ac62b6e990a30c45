using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;

namespace Mux.Server;

/// <summary>Provides a channel's credentials to servers. Thread-safe.</summary>
/// <param name="credentials">Credentials from the channel's options.</param>
/// <param name="rules">Rules about which servers may see them.</param>
/// <param name="timeout">Time limit for the credentials.</param>
/// <param name="timeProvider">Clock for the time limit.</param>
internal sealed class CredentialProvider(MuxCredentials credentials, CredentialRules rules, TimeSpan timeout, TimeProvider timeProvider) : ICredentialProvider
{
    public string? WhyNotUnasked => rules.WhyNotUnasked(credentials.Description);

    public string? WhyWithheld(string? remoteAddress, bool isEncrypted) => rules.WhyWithheld(credentials.Description, remoteAddress, isEncrypted);

    public async Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending)
    {
        if (!schemes.Contains(credentials.Scheme, StringComparer.Ordinal))
        {
            throw new InvalidOperationException($"The server accepts the schemes '{string.Join("', '", schemes)}', but the channel's credentials use the " +
                $"scheme '{credentials.Scheme}'.");
        }

        var request = new CredentialRequest { Challenge = nonce, ChannelBinding = channelBinding };
        var token = await GetTokenAsync(request, ending).ConfigureAwait(false);
        try
        {
            int most = AuthCredential.MaxLength - 1 - credentials.Scheme.Length;
            if (token.Length > most) throw new InvalidOperationException($"The token is {token.Length} bytes long; at most {most} can be sent.");
            var proof = credentials.GetExpectedProof(request, token);
            if (proof.Length is not (0 or AuthAccepted.ProofLength))
            {
                throw new InvalidOperationException($"{nameof(credentials.GetExpectedProof)} returned {proof.Length} bytes; allowed are 0 and " +
                    $"{AuthAccepted.ProofLength}.");
            }

            return new ShownCredential(AuthCredential.Make(credentials.Scheme, token), proof);
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
            // user code may block
            return await Task.Run(() => credentials.GetTokenAsync(request, cancellationToken).AsTask(), CancellationToken.None).WaitAsync(cancellationToken)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (limit.IsCancellationRequested)
        {
            throw new TimeoutException($"{nameof(credentials.GetTokenAsync)} of the credentials took longer than {timeout} (HandshakeTimeout).", e);
        }
    }
}
