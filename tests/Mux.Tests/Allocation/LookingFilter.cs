using Mux.Filters;
using Mux.Tests.Contracts;

namespace Mux.Tests.Allocation;

/// <summary>A filter that reads what it can without making an object.</summary>
internal sealed class LookingFilter : MuxFilter
{
    public override ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        if (call.TryGetRequest<Point>(out var point) && point == default) throw new InvalidOperationException("The request has no value.");
        if (call.TryGetRequest<Question>(out _) || call.User is not null || call.Peer.Length == 0) throw new InvalidOperationException("The call is another one.");
        var running = next.RunAsync(call);
        if (running.IsCompleted && (call.Status != MuxStatus.Ok || call.Elapsed < TimeSpan.Zero)) throw new InvalidOperationException("The call has failed.");
        return running;
    }
}
