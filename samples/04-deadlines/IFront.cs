using Mux;

namespace Deadlines;

[MuxService("shop.Front")]
public interface IFront
{
    ValueTask<string> Offer(int article, CallOptions? options = null, CancellationToken cancellationToken = default);
}
