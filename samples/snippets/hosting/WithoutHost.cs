using Microsoft.Extensions.Logging;
using Mux;

namespace Shop;

public static class WithoutHost
{
    public static async Task RunAsync()
    {
        using var loggers = LoggerFactory.Create(logging => logging.AddConsole());
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:7070" }, loggers);
        server.AddService<IOrders>(new OrderService()).Start();

        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://127.0.0.1:7070" }, loggers);
        var orders = channel.CreateProxy<IOrders>();
        Console.WriteLine(await orders.PlaceAsync(new Cart("apples", 3)));
    }
}
