using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.ProtocolCases.Clients;
using Mux.ProtocolCases.Servers;

namespace Mux.ProtocolCases.Running;

/// <summary>Plays cases against a peer, each on its own connection.</summary>
/// <param name="target">The peer.</param>
/// <param name="patience">Time limit of a case.</param>
internal sealed class SpecRunner(SpecTarget target, TimeSpan patience)
{
    /// <summary>
    /// Maximum number of connections for a case that depends on chance: a client's thread uses the slot that its last reply freed, or a new one if it is faster
    /// than the thread that frees the slot. Both are valid.
    /// </summary>
    private const int MaxTries = 8;

    /// <summary>Plays one case.</summary>
    /// <exception cref="OperationCanceledException">The user interrupted it.</exception>
    public async Task<SpecResult> RunAsync(BadInputCase badInput, SpecSplit split, CancellationToken interrupted)
    {
        if (target.WhyNot(badInput) is { } reason) return new SpecResult(badInput, null, SpecVerdict.Skipped, reason);
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                var got = await WithinAsync(scene => PlayAsync(scene, badInput, split), badInput, interrupted).ConfigureAwait(false);
                return new SpecResult(badInput, split, SpecVerdict.Passed, got);
            }
            catch (SpecFailure failure) when (failure.IsByChance && attempt < MaxTries)
            {
            }
            catch (SpecFailure failure) when (failure.IsByChance)
            {
                return new SpecResult(badInput, null, SpecVerdict.Skipped,
                    $"needs a peer that takes a freed slot before a new one, which on {MaxTries} connections it did not: {failure.Message}");
            }
            catch (SpecFailure failure)
            {
                return new SpecResult(badInput, split, SpecVerdict.Failed, failure.Message, failure.Step);
            }
        }
    }

    /// <summary>Plays a case that is not a row of bytes.</summary>
    /// <exception cref="OperationCanceledException">The user interrupted it.</exception>
    public async Task<ServerResult> RunAsync(ServerCase serverCase, CancellationToken interrupted)
    {
        if (serverCase.WhyNot(target) is { } reason) return new ServerResult(serverCase, SpecVerdict.Skipped, reason, null);
        try
        {
            var got = await WithinAsync(scene => PlayAsync(scene, serverCase), null, interrupted).ConfigureAwait(false);
            return new ServerResult(serverCase, SpecVerdict.Passed, got, null);
        }
        catch (SpecFailure failure)
        {
            return new ServerResult(serverCase, SpecVerdict.Failed, failure.Message, failure.Step);
        }
    }

    /// <summary>Makes one valid call on a new connection.</summary>
    /// <exception cref="SpecFailure">The call failed.</exception>
    public Task CheckAliveAsync(CancellationToken interrupted) => WithinAsync(async scene =>
    {
        await scene.OpenAsync(ownStream: false).ConfigureAwait(false);
        return "a reply";
    }, null, interrupted);

    private static async Task<string> PlayAsync(SpecScene scene, ServerCase serverCase)
    {
        await scene.OpenAsync(ownStream: false).ConfigureAwait(false);
        return await serverCase.Play(scene).ConfigureAwait(false);
    }

    private static async Task<string> PlayAsync(SpecScene scene, BadInputCase badInput, SpecSplit split)
    {
        if (badInput.Stage == BadInputStage.Open) await scene.OpenAsync(badInput.HasOwnStream).ConfigureAwait(false);
        var credential = badInput.Stage == BadInputStage.Authenticating ? await scene.GreetAsync(badInput.Challenge).ConfigureAwait(false) : null;
        await scene.SendAsync(BytesFor(badInput, scene, credential), split).ConfigureAwait(false);
        return await new SpecJudge(scene, badInput).CheckAsync().ConfigureAwait(false);
    }

    /// <summary>Gets the input, with the proof that matches the peer's credential.</summary>
    private static byte[] BytesFor(BadInputCase badInput, SpecScene scene, SpecFrame? credential)
    {
        if (badInput.Proof is not { } forge || scene.Target.PeersKey is not { } key) return badInput.Bytes;
        var challenge = badInput.Challenge.AsSpan(FrameHeader.Size, AuthChallenge.NonceLength).ToArray();
        return [.. badInput.Bytes[..^AuthAccepted.ProofLength], .. forge(key, ClientLogin.TokenOf(credential!), challenge, scene.Wire.ChannelBinding.Span)];
    }

    private async Task<string> WithinAsync(Func<SpecScene, Task<string>> play, BadInputCase? badInput, CancellationToken interrupted)
    {
        using var time = new CancellationTokenSource(patience, TimeProvider.System);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, interrupted);
        SpecScene? scene = null;
        try
        {
            scene = new SpecScene(target, await target.OpenAsync(badInput?.Options ?? new(), both.Token).ConfigureAwait(false), both.Token);
            var got = await play(scene).ConfigureAwait(false);
            scene.Begin("the end of the connection", "the end of the connection");
            scene.Wire.Close();
            await scene.Wire.EndAsync(both.Token).ConfigureAwait(false);
            if (badInput is not null) await scene.Subject.CheckEndAsync(badInput.Reaction, both.Token).ConfigureAwait(false);
            return got;
        }
        catch (SpecFailure failure)
        {
            failure.Step ??= scene?.Step ?? SpecStep.Connecting;
            throw;
        }
        catch (OperationCanceledException) when (!interrupted.IsCancellationRequested)
        {
            var step = scene?.Step ?? SpecStep.Connecting;
            throw new SpecFailure($"waited {patience.TotalSeconds:0.#} s for {step.Awaited}{scene?.Meanwhile}") { Step = step };
        }
        finally
        {
            scene?.Wire.Close();
        }
    }
}
