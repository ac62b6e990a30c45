using Mux.Identity;
using Mux.ProtocolCases.Running;
using Mux.Wire;

namespace Mux.ProtocolCases.Clients;

/// <summary>Plays cases that are no rows of bytes against a client, each on connections of its own.</summary>
/// <param name="arrivals">Where the client comes from.</param>
/// <param name="patience">How long a case may take.</param>
/// <param name="stall">How long one may take in which the client has to notice that nothing comes.</param>
/// <param name="settings">What the client says in its HELLO.</param>
/// <param name="key">Its shared key; null if it is not asked for one.</param>
internal sealed class ClientRunner(ClientArrivals arrivals, TimeSpan patience, TimeSpan stall, PeerSettings settings, SharedKey? key = null)
{
    /// <exception cref="OperationCanceledException">The user interrupted it.</exception>
    public async Task<ClientResult> RunAsync(ClientCase clientCase, CancellationToken interrupted)
    {
        if (clientCase.WhyNot(settings, key) is { } reason) return new ClientResult(clientCase, SpecVerdict.Skipped, reason, null);
        var limit = clientCase.IsSilence ? stall : patience;
        using var time = new CancellationTokenSource(limit, TimeProvider.System);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(time.Token, interrupted);
        var scene = new ClientScene(arrivals, both.Token, key);
        try
        {
            return new ClientResult(clientCase, SpecVerdict.Passed, await clientCase.Play(scene).ConfigureAwait(false), null);
        }
        catch (SpecFailure failure)
        {
            return new ClientResult(clientCase, SpecVerdict.Failed, failure.Message, failure.Step ?? scene.Step);
        }
        catch (OperationCanceledException) when (!interrupted.IsCancellationRequested)
        {
            return new ClientResult(clientCase, SpecVerdict.Failed, $"waited {limit.TotalSeconds:0.#} s for {scene.Step.Awaited}{scene.Meanwhile}", scene.Step);
        }
        finally
        {
            scene.Close();
        }
    }

    /// <summary>Tells the client that no more comes, as far as it listens.</summary>
    public async Task StopAsync(CancellationToken interrupted)
    {
        var stop = new ClientCase("Stop", "the task 'stop'", "ends", async scene =>
        {
            var connection = await scene.AcceptAsync().ConfigureAwait(false);
            await connection.GiveAsync(new ClientTask(ClientTask.Stop)).ConfigureAwait(false);
            await connection.EndAsync().ConfigureAwait(false);
            return "ended";
        });
        await RunAsync(stop, interrupted).ConfigureAwait(false);
    }
}
