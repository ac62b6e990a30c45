using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class FoundInKubernetes
{
    public static void AddFoundOrders(this IServiceCollection services) =>
        services.AddMuxClient("mux+k8s://orders.prod:rpc").UseKubernetes().AddProxy<IOrders>();
}
