using System.Security.Cryptography;
using Mux.Identity;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Running;
using Mux.Server;

namespace Mux.ProtocolCases.Clients;

/// <summary>Requests the client's shared key, like a server that has the key too (PROTOCOL.md section 3.7). For one connection; not thread-safe.</summary>
/// <param name="key">The client's key.</param>
/// <param name="wire">The connection.</param>
internal sealed class ClientLogin(SharedKey key, SpecWire wire)
{
    private byte[] _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);

    /// <summary>The setting of HELLO that requires authentication.</summary>
    public static byte[] Setting { get; } = Raw.Setting(SettingKey.Authentication, 1u);

    public Task ChallengeAsync(CancellationToken deadline) =>
        wire.SendAsync(Raw.Frame(FrameKind.Auth, default, [.. _nonce, (byte)SharedKeyProof.Scheme.Length, .. Raw.Text(SharedKeyProof.Scheme)]), deadline);

    /// <summary>Checks the client's credential, and accepts it with the proof of this side.</summary>
    /// <param name="frame">Frame of the client.</param>
    /// <param name="lifetime">Lifetime in milliseconds; 0 for ever.</param>
    /// <param name="deadline">Ends the wait.</param>
    /// <exception cref="SpecFailure">The credential does not prove that the client has the key.</exception>
    public async Task AcceptAsync(SpecFrame frame, uint lifetime, CancellationToken deadline)
    {
        var token = TokenOf(frame);
        var binding = SharedKeyProof.IsBound(token) ? wire.ChannelBinding : default;
        if (SharedKeyProof.IdOf(token) is var id && id != key.Id) throw new SpecFailure($"a proof of the key '{id}' instead of '{key.Id}'");
        if (!SharedKeyProof.IsMadeWith(key.Key, token, _nonce, wire.ChannelBinding.Span))
        {
            throw new SpecFailure("a proof whose mac is wrong, or that is bound to another certificate");
        }

        var proof = SharedKeyProof.MakeAnswer(key, token, _nonce, binding.Span);
        _nonce = RandomNumberGenerator.GetBytes(AuthChallenge.NonceLength);
        await wire.SendAsync(Raw.Frame(FrameKind.Auth, default, [.. Raw.U32(lifetime), .. _nonce, .. proof], FrameFlags.Answer), deadline)
            .ConfigureAwait(false);
    }

    /// <summary>Gets the token of a credential of the scheme.</summary>
    /// <exception cref="SpecFailure">The frame is not such a credential.</exception>
    public static byte[] TokenOf(SpecFrame frame)
    {
        if (frame.Kind != FrameKind.Auth || frame.Has(FrameFlags.Answer)) throw new SpecFailure($"{frame} instead of a credential");
        if (!AuthCredential.TryRead(frame.Payload, out var scheme, out int tokenAt) || scheme != SharedKeyProof.Scheme)
        {
            throw new SpecFailure($"a credential of the scheme '{scheme}' instead of '{SharedKeyProof.Scheme}'");
        }

        var token = frame.Payload[tokenAt..];
        return SharedKeyProof.IdOf(token) is null ? throw new SpecFailure($"a token of {token.Length} bytes that is not a token of '{SharedKeyProof.Scheme}'")
            : token;
    }
}
