using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class BulkEchoToken(ReplaceableProxy<IEcho> echo, int size, CallPace pace) : CallToken(pace)
{
    private readonly byte[] _payload = BulkContent.Make(size); // reused: a request is encoded before the call returns

    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                EchoNumber.Write(_payload, Pace.Number);
                var reply = await echo.Current.EchoAsync(_payload, Pace.CancellationToken).ConfigureAwait(false);
                Pace.End(BulkContent.IsSame(_payload, reply));
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
