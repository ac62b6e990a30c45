using Mux;

namespace Deadlines;

[MuxService("shop.Front")]
public interface IFront
{
    ValueTask<string> Offer(int article, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
}
