using Mux;
using Mux.Contracts;

namespace Shop;

public static class RawCalls
{
    public static async Task<byte[]> FindAsync(MuxChannel channel, ReadOnlyMemory<byte> request, CancellationToken cancellationToken)
    {
        RawCaller find = channel.CreateRawCaller("shop.Orders", "Find"); // keep it, like a proxy
        return await find.CallAsync(request, new MuxCallOptions { Timeout = TimeSpan.FromSeconds(2) }, cancellationToken);
    }
}
