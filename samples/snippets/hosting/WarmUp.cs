using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class WarmUp
{
    public static void AddWarmOrders(this IServiceCollection services) =>
        services.AddKeyedMuxClient("orders", "mux://orders:7070", client => client.WarmUpTime = TimeSpan.FromSeconds(5)).AddProxy<IOrders>();
}
