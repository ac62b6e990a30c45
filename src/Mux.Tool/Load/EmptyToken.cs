using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class EmptyToken(IEmpty empty, LoadState state, int index, int tokens) : CallToken(state, index, tokens)
{
    protected override async Task MakeCallsAsync()
    {
        while (TryNext(out _))
        {
            try
            {
                await empty.CallAsync().ConfigureAwait(false);
                End(isRight: true); // there is nothing in it to be wrong
            }
            catch (MuxException error)
            {
                await FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
