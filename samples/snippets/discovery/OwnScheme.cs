using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class OwnScheme
{
    public static void AddOrdersOfFile(this IServiceCollection services) =>
        services.AddMuxClient("mux+file:///etc/shop/orders")
            .AddSource(["mux+file"], (options, provider) => new FileEndpoints(new Uri(options.Address).AbsolutePath))
            .AddProxy<IOrders>();
}
