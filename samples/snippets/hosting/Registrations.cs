using Microsoft.Extensions.DependencyInjection;
using Mux;

namespace Shop;

public static class HostRegistrations
{
    public static void AddShop(this IServiceCollection services)
    {
        services.AddMuxServer("mux://127.0.0.1:7070", server => server.MaxCallTimeout = TimeSpan.FromSeconds(30))
            .AddService<IOrders, OrderService>();           // one instance for all calls; AddScopedService: one per call, in a scope of its own
        services.AddKeyedMuxClient("stock", "mux://stock:7070").AddProxy<IStock>();
        services.AddKeyedMuxClient("archive").AddProxy<IArchive>(); // the address is Mux:Clients:archive:Address of the configuration
    }
}

public sealed class Warehouse([FromKeyedServices("stock")] IStock stock)
{
    public ValueTask<int> CountAsync(string article, CancellationToken cancellationToken) => stock.CountAsync(article, cancellationToken);
}

[MuxService("shop.Stock")]
public interface IStock
{
    ValueTask<int> CountAsync(string article, CancellationToken cancellationToken = default);
}

[MuxService("shop.Archive")]
public interface IArchive
{
    ValueTask AddAsync(Order order, CancellationToken cancellationToken = default);
}
