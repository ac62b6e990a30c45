using System.Net;
using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.Runtime;

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

/// <summary>Decides which servers may see a channel's credential, by the channel's options. Immutable.</summary>
internal sealed record CredentialRules
{
    /// <summary>The address that the channel connects to.</summary>
    public required MuxAddress Address { get; init; }

    /// <summary>
    /// True if the transport is one of Mux's own for addresses: its scheme then says whether a connection is encrypted. What any other transport makes of an
    /// address is unknown until its link reports it.
    /// </summary>
    public bool IsOwnTransport { get; init; }

    /// <summary>True if the transport stays in the memory of this process, whatever the address.</summary>
    public bool IsInProcess { get; init; }

    /// <summary>See <see cref="MuxChannelOptions.AllowPlaintext"/>.</summary>
    public bool AllowPlaintext { get; init; }

    /// <summary>See <see cref="MuxChannelOptions.RequireChallenge"/>.</summary>
    public bool RequireChallenge { get; init; } = true;

    /// <summary>Returns the reason for withholding the credential from a server, or null.</summary>
    /// <param name="credential">Name of the credential.</param>
    /// <param name="remoteAddress">Remote address of the connection; empty if its link reports none, null before there is a connection.</param>
    /// <param name="isEncrypted">True if the link has a channel binding.</param>
    public string? WhyWithheld(string credential, string? remoteAddress, bool isEncrypted)
    {
        if (AllowPlaintext || IsInProcess || isEncrypted || (IsOwnTransport && !IsPlaintextNetwork) || !LeavesMachine(remoteAddress)) return null;
        var place = string.IsNullOrEmpty(remoteAddress) ? Address.ToString() : $"{Address} ({remoteAddress})";
        var remedy = IsOwnTransport
            ? $"Connect to a {MuxAddress.TlsScheme} or {MuxAddress.SecureWebSocketScheme} address"
            : $"If the channel's transport encrypts, report a {nameof(Transports.Link.ChannelBinding)}";
        return $"The {credential} is not sent to {place}: that is another machine, and the connection is not encrypted. {remedy}, or set " +
            $"{nameof(MuxChannelOptions.AllowPlaintext)} of the channel to true in a network that you trust.";
    }

    /// <summary>Returns the reason for leaving a server that did not ask for the credential, or null.</summary>
    /// <param name="credential">Name of the credential.</param>
    public string? WhyNotUnasked(string credential) => !RequireChallenge
        ? null
        : $"The server at {Address} did not ask for the {credential}: it may not be the server that the channel is meant for. If the server " +
          $"knows its clients by other means, or serves anonymous clients, set {nameof(MuxChannelOptions.RequireChallenge)} of the channel to false.";

    private bool IsPlaintextNetwork => Address.Scheme is MuxAddress.TcpScheme or MuxAddress.WebSocketScheme;

    private bool IsLocalAddress => Address.Scheme is MuxAddress.UnixScheme or MuxAddress.PipeScheme || SocketEndPoints.IsLoopback(Address);

    private bool LeavesMachine(string? remoteAddress)
    {
        if (remoteAddress is null && !IsOwnTransport) return false; // decided when it is connected
        // A host name may lead anywhere, and so may a link that reports nothing.
        if (!IPEndPoint.TryParse(remoteAddress ?? string.Empty, out var endPoint)) return !IsLocalAddress;
        return !IPAddress.IsLoopback(endPoint.Address.IsIPv4MappedToIPv6 ? endPoint.Address.MapToIPv4() : endPoint.Address);
    }
}
