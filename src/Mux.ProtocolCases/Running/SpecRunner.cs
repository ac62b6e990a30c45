using Mux.ProtocolCases.Cases;

namespace Mux.ProtocolCases.Running;

/// <summary>Plays cases against a peer, each on a connection of its own.</summary>
/// <param name="target">The peer.</param>
/// <param name="patience">How long a case may take in all.</param>
internal sealed class SpecRunner(SpecTarget target, TimeSpan patience)
{
    /// <summary>Plays one case.</summary>
    /// <exception cref="OperationCanceledException">The user interrupted it.</exception>
    public async Task<SpecResult> RunAsync(BadInputCase badInput, SpecSplit split, CancellationToken interrupted)
    {
        if (target.WhyNot(badInput) is { } reason) return new SpecResult(badInput, null, SpecVerdict.Skipped, reason);
        try
        {
            var got = await WithinAsync(scene => PlayAsync(scene, badInput, split), badInput, interrupted).ConfigureAwait(false);
            return new SpecResult(badInput, split, SpecVerdict.Passed, got);
        }
        catch (SpecFailure failure)
        {
            return new SpecResult(badInput, split, SpecVerdict.Failed, failure.Message);
        }
    }

    /// <summary>Makes one good call on a new connection.</summary>
    /// <exception cref="SpecFailure">It did not go well.</exception>
    public Task CheckAliveAsync(CancellationToken interrupted) => WithinAsync(async scene =>
    {
        await scene.OpenAsync(ownStream: false).ConfigureAwait(false);
        return "a reply";
    }, null, interrupted);

    private static async Task<string> PlayAsync(SpecScene scene, BadInputCase badInput, SpecSplit split)
    {
        if (badInput.Stage == BadInputStage.Open) await scene.OpenAsync(badInput.HasOwnStream).ConfigureAwait(false);
        if (badInput.Stage == BadInputStage.Authenticating) await scene.GreetAsync().ConfigureAwait(false);
        await scene.SendAsync(badInput.Bytes, split).ConfigureAwait(false);
        return await new SpecJudge(scene, badInput).CheckAsync().ConfigureAwait(false);
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
            scene.Doing = "the end of the connection";
            scene.Wire.Close();
            await scene.Wire.EndAsync(both.Token).ConfigureAwait(false);
            if (badInput is not null) await scene.Subject.CheckEndAsync(badInput.Reaction, both.Token).ConfigureAwait(false);
            return got;
        }
        catch (OperationCanceledException) when (!interrupted.IsCancellationRequested)
        {
            throw new SpecFailure($"waited {patience.TotalSeconds:0.#} s for {scene?.Doing ?? "a connection"}");
        }
        finally
        {
            scene?.Wire.Close();
        }
    }
}
