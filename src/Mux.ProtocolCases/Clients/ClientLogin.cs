using System.Security.Cryptography;
using Mux.Identity;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Wire;

namespace Mux.ProtocolCases.Clients;

/// <summary>
/// Asks the client for its shared key, as a server does that has the key too (PROTOCOL.md section 3.7). One connection, one thread at a time.
/// </summary>
/// <param name="key">The client's.</param>
/// <param name="wire">The connection.</param>
internal sealed class ClientLogin(SharedKey key, SpecWire wire)
{
    private byte[] _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);

    /// <summary>Says in HELLO that the client has to show it.</summary>
    public static byte[] Setting { get; } = Raw.Setting(SettingKey.Authentication, 1u);

    public Task ChallengeAsync(CancellationToken deadline) =>
        wire.SendAsync(Raw.Frame(FrameKind.Auth, default, [.. _nonce, (byte)SharedKeyProof.Scheme.Length, .. Raw.Text(SharedKeyProof.Scheme)]), deadline);

    /// <summary>Looks at what the client shows, and accepts it with the proof of this side.</summary>
    /// <param name="frame">Of the client.</param>
    /// <param name="lifetime">Milliseconds; 0 is for ever.</param>
    /// <param name="deadline">When to give up.</param>
    /// <exception cref="SpecFailure">It does not prove that the client has the key.</exception>
    public async Task AcceptAsync(SpecFrame frame, uint lifetime, CancellationToken deadline)
    {
        var token = TokenOf(frame);
        var binding = SharedKeyProof.IsBound(token) ? wire.ChannelBinding : default;
        if (SharedKeyProof.IdOf(token) is var id && id != key.Id) throw new SpecFailure($"a proof of the key '{id}', and not of '{key.Id}'");
        if (!SharedKeyProof.IsMadeWith(key.Key, token, _nonce, wire.ChannelBinding.Span))
        {
            throw new SpecFailure("a proof whose mac is wrong, or that is bound to another certificate");
        }

        var proof = SharedKeyProof.MakeAnswer(key, token, _nonce, binding.Span);
        _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);
        await wire.SendAsync(Raw.Frame(FrameKind.Auth, default, [.. Raw.U32(lifetime), .. _nonce, .. proof], FrameFlags.Answer), deadline)
            .ConfigureAwait(false);
    }

    /// <summary>The token of a credential of the scheme.</summary>
    /// <exception cref="SpecFailure">It is none.</exception>
    public static byte[] TokenOf(SpecFrame frame)
    {
        if (frame.Kind != FrameKind.Auth || frame.Has(FrameFlags.Answer)) throw new SpecFailure($"{frame}, in place of a credential");
        if (!AuthCredential.TryRead(frame.Payload, out var scheme, out int tokenAt) || scheme != SharedKeyProof.Scheme)
        {
            throw new SpecFailure($"a credential of the scheme '{scheme}', and not '{SharedKeyProof.Scheme}'");
        }

        var token = frame.Payload[tokenAt..];
        return SharedKeyProof.IdOf(token) is null ? throw new SpecFailure($"a token of {token.Length} bytes that is no token of '{SharedKeyProof.Scheme}'")
            : token;
    }
}
