using Mux;

namespace Ticker;

[MuxService("ticker.Market")]
public interface IMarket
{
    /// <summary>Follows all ticks, without an end.</summary>
    IAsyncEnumerable<Tick> Watch(CancellationToken cancellationToken = default);
}
