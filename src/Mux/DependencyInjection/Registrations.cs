using Microsoft.Extensions.DependencyInjection;
using Mux.Configuration;

namespace Mux.DependencyInjection;

/// <summary>
/// Remembers what was added to a host, as instances in its service collection. Of two addresses the later one would silently win, so the second one is rejected
/// when it is added.
/// </summary>
internal static class Registrations
{
    public static IEnumerable<T> Of<T>(IServiceCollection services)
        where T : class =>
        services.Where(service => service.ServiceType == typeof(T)).Select(service => (T)service.ImplementationInstance!);

    public static void AddServer(IServiceCollection services, string? address)
    {
        if (address is null) return;
        if (Of<ServerRegistration>(services).FirstOrDefault(server => server.Address != address) is { } other)
            throw new InvalidOperationException($"AddMuxServer was called twice, for {other.Address} and {address}. A host has one server: leave the " +
                $"address out of the second call.");
        services.AddSingleton(new ServerRegistration(address));
    }

    public static void AddClient(IServiceCollection services, string name, string? address)
    {
        if (name.Length == 0 && address is not null &&
            Of<ClientRegistration>(services).FirstOrDefault(
                client => client.Name.Length == 0 && client.Address is not null && client.Address != address) is { } other)
        {
            throw new InvalidOperationException(
                $"AddMuxClient was called twice without a name, for {other.Address} and {address}. Name the clients: " +
                    $"AddKeyedMuxClient(\"name\", \"address\").");
        }

        services.AddSingleton(new ClientRegistration(name, address));
    }
}
