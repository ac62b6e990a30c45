using System.Security.Cryptography;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Authenticates this side to a peer that requires it in its HELLO (PROTOCOL.md section 3.7).</summary>
/// <param name="scene">The connection, on which the peer's challenge is the next frame.</param>
/// <param name="credentials">Null to connect anonymously, which some peers allow.</param>
internal sealed class SpecLogin(SpecScene scene, ICredentialProvider? credentials)
{
    /// <exception cref="SpecFailure">The peer rejects the credential.</exception>
    public async Task PassAsync()
    {
        scene.Begin("the peer's challenge");
        var frame = (await scene.ReadUntilAsync(frame => frame.Kind == FrameKind.Auth).ConfigureAwait(false))[^1];
        if (frame.Has(FrameFlags.Answer)) throw new SpecFailure("an answer to AUTH that was not sent");
        if (!AuthChallenge.TryRead(frame.Payload, out var challenge, out var violation))
        {
            throw new SpecFailure($"a challenge that breaks a rule: {violation!.Text}");
        }

        scene.Begin("the peer to accept the credential", "AUTH");
        var shown = await MakeAsync(challenge!).ConfigureAwait(false);
        await scene.Wire.SendAsync(Raw.Frame(FrameKind.Auth, default, shown.Payload), scene.Deadline).ConfigureAwait(false);
        byte[] answered;
        try
        {
            answered = (await scene.ReadUntilAsync(answer => answer.Kind == FrameKind.Auth && answer.Has(FrameFlags.Answer)).ConfigureAwait(false))[^1].Payload;
        }
        catch (SpecFailure failure)
        {
            throw new SpecFailure(failure.Message) { IsRefusal = true };
        }

        if (!AuthAccepted.TryRead(answered, out var accepted, out violation)) throw new SpecFailure($"an acceptance that breaks a rule: {violation!.Text}");
        if (!CryptographicOperations.FixedTimeEquals(shown.ExpectedProof, accepted!.Proof.Span))
        {
            throw new SpecFailure(shown.ExpectedProof.Length == 0 ? "an acceptance with a proof that its scheme does not have"
                : "an acceptance that does not prove that the peer has the shared key");
        }
    }

    private async Task<ShownCredential> MakeAsync(AuthChallenge challenge)
    {
        if (credentials is null) return new ShownCredential(AuthCredential.Make(string.Empty, []), []);
        try
        {
            return await credentials.ProvideAsync(challenge.Schemes, challenge.Nonce, scene.Wire.ChannelBinding, scene.Deadline).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException)
        {
            throw new SpecFailure($"there is no credential for it: {error.Message.TrimEnd('.')}");
        }
    }
}
