using Mux;

namespace Deadlines;

[MuxService("shop.Stock")]
public interface IStock
{
    /// <summary>A call of it may take 250 ms, unless its caller says otherwise.</summary>
    [MuxMethod(DeadlineMilliseconds = 250)]
    ValueTask<int> Count(int article, CallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>May take what the channel allows.</summary>
    ValueTask Recount(CallOptions? options = null, CancellationToken cancellationToken = default);
}
