using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class Gateway
{
    public static void AddShopGateway(this IServiceCollection services)
    {
        services.AddKeyedMuxClient("orders", "mux://10.0.0.7:7070");
        services.AddKeyedMuxClient("stock", "mux+dns://stock.prod:7070");
        services.AddMuxServer("mux://0.0.0.0:7070", server => server.AllowPlaintext = true)
            .AddGateway(routes => routes.Map("shop.Orders", "orders").MapPrefix("shop.", "stock"));
    }
}
