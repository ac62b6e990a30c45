using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class FromTheContainer
{
    public static async Task ConnectAsync(IServiceProvider provider, CancellationToken cancellationToken)
    {
        var channel = provider.GetRequiredService<MuxChannel>();              // of AddMuxClient()
        var stock = provider.GetRequiredKeyedService<MuxChannel>("stock");    // of AddKeyedMuxClient("stock")
        var server = provider.GetRequiredService<MuxServer>();                // of AddMuxServer()
        await stock.ConnectAsync(cancellationToken);                          // fails now rather than at the first call
        Console.WriteLine($"{server.State}, {channel.Address}, {stock.GetStatistics()}");
    }
}
