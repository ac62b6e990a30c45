using Mux.Transports;

namespace Mux.ProtocolCases.Calling;

/// <summary>
/// A client that fulfils the contract of a client under examination (README.md of the tool) with the client of Mux: round after round, each with its own
/// channel and one connection.
/// </summary>
/// <param name="transport">Transport of its channels. Not owned.</param>
/// <param name="makeChannel">Creates the channel of a round with the given transport.</param>
/// <param name="patience">Time to keep trying without a connection.</param>
internal sealed class SpecClient(ITransport transport, Func<ITransport, MuxChannel> makeChannel, TimeSpan patience)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(10); // between refused connections

    private byte[] _result = [];

    /// <summary>Number of rounds with a connection.</summary>
    public int Rounds { get; private set; }

    /// <summary>Runs until it is told to stop.</summary>
    /// <exception cref="MuxException">The patience ended without a connection: the last failure.</exception>
    /// <exception cref="OperationCanceledException">The user interrupted it.</exception>
    public async Task RunAsync(CancellationToken interrupted)
    {
        long connected = TimeProvider.System.GetTimestamp();
        while (true)
        {
            var links = new RoundTransport(transport);
            var channel = makeChannel(links);
            await using var channelEnd = channel.ConfigureAwait(false);
            try
            {
                await channel.ConnectAsync(interrupted).ConfigureAwait(false);
            }
            catch (MuxException) when (TimeProvider.System.GetElapsedTime(connected) < patience)
            {
                await Task.Delay(s_pause, TimeProvider.System, interrupted).ConfigureAwait(false);
                continue;
            }

            connected = TimeProvider.System.GetTimestamp();
            Rounds++;
            if (!await PlayAsync(channel.CreateProxy<IClientSpec>(), links, interrupted).ConfigureAwait(false)) return;
        }
    }

    /// <returns>False after the last round.</returns>
    private async Task<bool> PlayAsync(IClientSpec spec, RoundTransport links, CancellationToken interrupted)
    {
        using var round = CancellationTokenSource.CreateLinkedTokenSource(interrupted);
        using var second = CancellationTokenSource.CreateLinkedTokenSource(round.Token);
        Task[] held = [spec.WaitAsync([], null, round.Token).AsTask(), spec.WaitAsync([], null, second.Token).AsTask()]; // slots 1 and 2; Task has slot 3
        var worker = new SpecWorker(spec, second, round.Token);
        try
        {
            while (true)
            {
                var task = Clients.ClientTask.Parse(await spec.TaskAsync(_result, interrupted).ConfigureAwait(false));
                links.OnTask();
                if (task.Name == Clients.ClientTask.Stop) return false;
                _result = await worker.DoAsync(task).ConfigureAwait(false);
            }
        }
        catch (MuxException)
        {
            return true; // the case has ended the connection
        }
        finally
        {
            await round.CancelAsync().ConfigureAwait(false);
            foreach (var call in held) await call.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await worker.EndAsync().ConfigureAwait(false);
        }
    }
}
