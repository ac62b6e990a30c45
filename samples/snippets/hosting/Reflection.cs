using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class Reflection
{
    public static void AddDescribedOrders(this IServiceCollection services)
    {
        services.AddMuxServer().AddService<IOrders, OrderService>()
            .AddPolicy("operator", user => user.IsInRole("operator"))
            .AddReflection(policy: "operator");
    }
}
