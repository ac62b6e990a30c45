using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class FoundByPackages
{
    public static void AddFoundClients(this IServiceCollection services)
    {
        services.AddKeyedMuxClient("stock", "mux+srv://_rpc._tcp.stock.prod").UseDnsSrv().AddProxy<IStock>();
        services.AddKeyedMuxClient("archive", "mux+service://archive").UseServiceDiscovery().AddProxy<IArchive>();
    }
}
