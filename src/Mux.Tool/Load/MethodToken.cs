using Mux.Contracts;

namespace Mux.Tool.Load;

/// <summary>Calls a method with one reply, or with none. Replies are counted, not checked: only the server knows what is right.</summary>
/// <param name="caller">Calls the method.</param>
/// <param name="method">The method and its requests.</param>
/// <param name="state">State of the run.</param>
/// <param name="pace">Pace of the token.</param>
internal sealed class MethodToken(ReplaceableProxy<RawCaller> caller, MethodLoad method, LoadState state, CallPace pace) : CallToken(pace)
{
    // One-way calls complete at once while the queue has room: without a break, a few tokens would keep the threads of all others.
    private const int CallsInARow = 16;

    private int _inARow;

    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                await Call().ConfigureAwait(false);
                Pace.End(isRight: true);
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }

            if (!method.IsOneWay || ++_inARow < CallsInARow) continue;
            _inARow = 0;
            await Task.Yield();
        }
    }

    private ValueTask<byte[]> Call()
    {
        var request = method.RequestOf(Pace.Number);
        return method.HasRequestStream
            ? caller.Current.CallAsync(request.Message, new RequestItems(request.Items, state.Recorders), options: null, Pace.CancellationToken)
            : caller.Current.CallAsync(request.Message, options: null, Pace.CancellationToken);
    }
}
