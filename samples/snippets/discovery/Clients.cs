using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class Clients
{
    public static void AddClients(this IServiceCollection services)
    {
        services.AddMuxClient("mux://10.0.0.7:7070,10.0.0.8:7070").AddProxy<IArchive>();
        services.AddKeyedMuxClient("stock", "mux+dns://stock.prod:7070").AddProxy<IStock>();
        services.AddKeyedMuxClient("orders").AddProxy<IOrders>(); // the address is Mux:Clients:orders:Address, or the servers are Mux:Clients:orders:Endpoints
    }
}
