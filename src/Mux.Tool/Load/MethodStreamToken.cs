using System.Diagnostics;
using Mux.Contracts;
using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>
/// Calls a method with a response stream. A stream is one call: its reply is the end of the stream. Items are counted, and the first one is timed.
/// </summary>
/// <param name="caller">Calls the method.</param>
/// <param name="configuration">Configuration of the run.</param>
/// <param name="state">State of the run.</param>
/// <param name="pace">Pace of the token.</param>
internal sealed class MethodStreamToken(ReplaceableProxy<RawCaller> caller, BenchConfiguration configuration, LoadState state, CallPace pace) : CallToken(pace)
{
    private readonly MethodLoad _method = configuration.Method!;

    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                long startedAt = Stopwatch.GetTimestamp(), received = 0;
                await foreach (var item in Call().WithCancellation(state.Cut!.Token).ConfigureAwait(false))
                {
                    var recorders = state.Recorders.Current;
                    recorders[Measured.Received].RecordUntimed();
                    if (received++ == 0) recorders[Measured.FirstItem].Record(Stopwatch.GetTimestamp() - startedAt);
                    if (received == configuration.StreamItems) break; // which cancels the rest
                }

                Pace.End(isRight: true);
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }

    private IAsyncEnumerable<byte[]> Call()
    {
        var request = _method.RequestOf(Pace.Number);
        var items = _method.HasRequestStream ? new RequestItems(request.Items, state.Recorders) : null;
        return caller.Current.StreamAsync(request.Message, items, options: null, Pace.CancellationToken);
    }
}
