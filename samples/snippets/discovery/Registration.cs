using Microsoft.Extensions.DependencyInjection;
using Mux;
using Mux.Discovery;

namespace Shop;

public static class Registration
{
    public static void AddRegisteredOrders(this IServiceCollection services)
    {
        services.AddMuxServer("mux://0.0.0.0:7070", server => server.AllowPlaintext = true)
            .AddService<IOrders, OrderService>()
            .AddRegistry(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:0")), provider => new MyRegistry()); // port 0: the port at which the server listens
    }
}

internal sealed class MyRegistry : IEndpointRegistry
{
    public string Name => "my registry";

    public Task RegisterAsync(MuxEndpoint endpoint, CancellationToken cancellationToken) => Task.CompletedTask;

    public Task DeregisterAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
