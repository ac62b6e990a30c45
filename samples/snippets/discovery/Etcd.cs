using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class FoundInEtcd
{
    public static void AddOrders(this IServiceCollection services)
    {
        services.AddMuxServer("mux://0.0.0.0:7070", server => server.AllowPlaintext = true)
            .AddService<IOrders, OrderService>()
            .RegisterInEtcd("mux+etcd://e1:2379,e2:2379,e3:2379/mux/orders", advertise: "mux://10.0.0.7:7070");
        services.AddMuxClient("mux+etcd://e1:2379,e2:2379,e3:2379/mux/orders").UseEtcd().AddProxy<IOrders>(); // of another program
    }
}
