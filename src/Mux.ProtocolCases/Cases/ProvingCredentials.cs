using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.Protocol;
using Mux.Server;

namespace Mux.ProtocolCases.Cases;

/// <summary>
/// Shows a shared key, always with the same nonce and without a channel binding, so that a case can compute the proof of the peer in advance.
/// </summary>
internal sealed class ProvingCredentials : ICredentialProvider
{
    private static readonly SharedKey s_key = new("spec", SHA256.HashData("mux.spec"u8));

    private readonly byte[] _nonce = new byte[SharedKeyProof.NonceLength];

    public string? WhyNotUnasked => null;

    public string? WhyWithheld(string? remoteAddress, bool isEncrypted) => null;

    public Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending)
    {
        var token = Token(nonce);
        return Task.FromResult(new ShownCredential(AuthCredential.Make(SharedKeyProof.Scheme, token), SharedKeyProof.MakeAnswer(s_key, token, nonce, default)));
    }

    /// <summary>The proof of this side, which its peer must not show.</summary>
    public byte[] ReflectedProof(byte[] challenge) => Token(challenge)[^AuthAccepted.ProofLength..];

    /// <summary>The proof of a peer that has the key, for the token that it claims to have received.</summary>
    public byte[] Proof(byte[] challenge, byte clientNonce = 0, ReadOnlySpan<byte> channelBinding = default)
    {
        var nonce = _nonce.AsSpan().ToArray();
        nonce[0] = clientNonce;
        return SharedKeyProof.MakeAnswer(s_key, SharedKeyProof.Make(s_key, nonce, challenge, channelBinding), challenge, channelBinding);
    }

    private byte[] Token(byte[] challenge) => SharedKeyProof.Make(s_key, _nonce, challenge, default);
}
