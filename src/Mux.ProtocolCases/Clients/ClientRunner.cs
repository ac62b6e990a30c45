using Mux.Identity;
using Mux.Protocol;
using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Clients;

/// <summary>Plays cases that are not rows of bytes against a client, each on its own connections.</summary>
/// <param name="arrivals">Connections of the client.</param>
/// <param name="patience">Time limit of a case.</param>
/// <param name="stall">Time limit of a case in which the client must notice that nothing arrives.</param>
/// <param name="settings">Settings of the client's HELLO.</param>
/// <param name="key">Shared key of the client; null if none is required.</param>
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

    /// <summary>Tells the client that no more tasks follow, if it listens.</summary>
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
