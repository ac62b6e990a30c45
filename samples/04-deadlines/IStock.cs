using Mux;

namespace Deadlines;

[MuxService("shop.Stock")]
public interface IStock
{
    /// <summary>A call of it may take 250 ms, unless its caller says otherwise.</summary>
    [MuxMethod(TimeoutMilliseconds = 250)]
    ValueTask<int> Count(int article, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>May take what the channel allows.</summary>
    ValueTask Recount(MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}
