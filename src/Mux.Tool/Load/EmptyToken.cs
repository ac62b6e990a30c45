using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EmptyToken(ReplaceableProxy<IEmpty> empty, CallPace pace) : CallToken(pace)
{
    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                await empty.Current.CallAsync(Pace.CancellationToken).ConfigureAwait(false);
                Pace.End(isRight: true); // an empty reply cannot be wrong
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
