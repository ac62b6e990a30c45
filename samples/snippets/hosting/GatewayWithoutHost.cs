using Mux;

namespace Shop;

public static class GatewayWithoutHost
{
    public static async Task RunAsync(Task stopped)
    {
        await using var stock = MuxChannel.Create("mux+dns://stock.prod:7070");
        await using var gateway = new MuxServer("mux://127.0.0.1:7070").AddRoute(new MuxRoute("shop.*", stock));
        gateway.Start();
        await stopped;
    }
}
