using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>The end of a run: no more calls are made, and those that are open get their replies, or are given up.</summary>
/// <param name="load">Load of the run.</param>
/// <param name="state">State of the run, which is stopped.</param>
/// <param name="patienceSeconds">Seconds without a reply after which open calls are lost.</param>
internal sealed class LastReplies(Load load, LoadState state, int patienceSeconds)
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    /// <summary>Waits for them. Response streams without an end of their own are ended by then.</summary>
    /// <param name="running">Completes with the last reply.</param>
    /// <param name="interrupted">The user's interruption, which shortens the wait.</param>
    /// <returns>Number of replies that never arrived.</returns>
    public async Task<long> AwaitAsync(Task running, CancellationToken interrupted)
    {
        var sum = new LatencyHistogram();
        long replies = state.Recorders.SumInto(sum).Replies;
        int quietSeconds = 0;
        bool isEnding = interrupted.IsCancellationRequested; // nothing is left to wait for but what the peer still owes
        if (isEnding) state.Cut?.Make();
        while (quietSeconds < (isEnding ? BenchRun.QuietSeconds : patienceSeconds))
        {
            await Task.WhenAny(running, Task.Delay(s_second, TimeProvider.System, CancellationToken.None)).ConfigureAwait(false);
            if (running.IsCompleted)
            {
                await running.ConfigureAwait(false); // throws on an internal error of a token
                return 0;
            }

            long now = state.Recorders.SumInto(sum).Replies;
            quietSeconds = now == replies ? quietSeconds + 1 : 0;
            replies = now;
            if (isEnding || (!interrupted.IsCancellationRequested && (state.Cut is null || quietSeconds < BenchRun.QuietSeconds))) continue;
            isEnding = true;
            quietSeconds = 0;
            state.Cut?.Make();
        }

        return load.Counts.Open;
    }
}
