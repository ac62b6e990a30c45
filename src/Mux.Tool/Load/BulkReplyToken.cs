using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
/// <param name="bulk">The service.</param>
/// <param name="content">Expected content of replies.</param>
/// <param name="pace">Pace of the token.</param>
internal sealed class BulkReplyToken(IBulk bulk, byte[] content, CallPace pace) : CallToken(pace)
{
    public override async Task MakeCallsAsync()
    {
        while (await Pace.NextAsync().ConfigureAwait(false))
        {
            try
            {
                var reply = await bulk.GetAsync(content.Length, Pace.Number).ConfigureAwait(false);
                Pace.End(reply.Number == Pace.Number && BulkContent.IsSame(content, reply.Content));
            }
            catch (MuxException error)
            {
                await Pace.FailAsync(error).ConfigureAwait(false);
            }
        }
    }
}
