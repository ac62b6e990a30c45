using Mux.Connections;
using Mux.ProtocolCases.Cases;
using Mux.Wire;

namespace Mux.ProtocolCases.Running;

/// <summary>Says who this side is to a peer that has asked in its HELLO (PROTOCOL.md section 3.7).</summary>
/// <param name="scene">The connection, on which the peer's challenge comes next.</param>
/// <param name="credentials">Null for nobody in particular, which some peers let in.</param>
internal sealed class SpecLogin(SpecScene scene, ICredentialProvider? credentials)
{
    /// <exception cref="SpecFailure">The peer does not take it.</exception>
    public async Task PassAsync()
    {
        scene.Doing = "the peer's challenge";
        var frame = (await scene.ReadUntilAsync(frame => frame.Kind == FrameKind.Auth).ConfigureAwait(false))[^1];
        if (frame.Has(FrameFlags.Answer)) throw new SpecFailure("an answer to AUTH that was not sent");
        if (!AuthChallenge.TryRead(frame.Payload, out var challenge, out var violation)) throw new SpecFailure($"a challenge that breaks a rule: {violation!.Text}");
        scene.Doing = "the peer to take the credential";
        await scene.Wire.SendAsync(Raw.Frame(FrameKind.Auth, default, await MakeAsync(challenge!).ConfigureAwait(false)), scene.Deadline).ConfigureAwait(false);
        try
        {
            await scene.ReadUntilAsync(answer => answer.Kind == FrameKind.Auth && answer.Has(FrameFlags.Answer)).ConfigureAwait(false);
        }
        catch (SpecFailure failure)
        {
            throw new SpecFailure(failure.Message) { IsRefusal = true };
        }
    }

    private async Task<byte[]> MakeAsync(AuthChallenge challenge)
    {
        if (credentials is null) return AuthCredential.Make(string.Empty, []);
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
