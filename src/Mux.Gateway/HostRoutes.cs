using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Mux.Gateway;

/// <summary>Adds the routes of configuration and code to the server of a host.</summary>
internal static class HostRoutes
{
    /// <exception cref="InvalidOperationException">There is no route, or some cannot be added; the message names all mistakes.</exception>
    public static void AddTo(IServiceProvider provider, MuxServer server)
    {
        List<string> mistakes = [];
        var routes = new Dictionary<string, MappedRoute>(StringComparer.Ordinal);
        foreach (var route in GatewaySection.Read(provider.GetService<IConfiguration>(), mistakes)) routes[route.Pattern] = route;
        var mapped = provider.GetServices<GatewayRoutes>().SelectMany(static routes => routes.All);
        foreach (var group in mapped.GroupBy(static route => route.Pattern, StringComparer.Ordinal))
        {
            if (group.Count() > 1) mistakes.Add($"'{group.Key}' is mapped {group.Count()} times in code: a pattern has one route.");
            routes[group.Key] = group.First();
        }

        if (routes.Count == 0)
        {
            mistakes.Add($"The gateway has no routes: map services in AddGateway(routes => routes.Map(\"shop.Orders\", \"orders\")), or in the configuration " +
                $"section {GatewaySection.Path}:Routes.");
        }

        foreach (var route in routes.Values.OrderBy(static route => route.Pattern, StringComparer.Ordinal))
        {
            try
            {
                Add(provider, server, route);
            }
            catch (ArgumentException error)
            {
                mistakes.Add(error.Message);
            }
        }

        if (mistakes.Count > 0) throw new InvalidOperationException(string.Join(Environment.NewLine, mistakes));
    }

    /// <exception cref="ArgumentException">The client was not added, or the route is not valid.</exception>
    private static void Add(IServiceProvider provider, MuxServer server, MappedRoute mapped)
    {
        var channel = mapped.Client is null ? provider.GetService<MuxChannel>() : provider.GetKeyedService<MuxChannel>(mapped.Client);
        if (channel is null)
        {
            throw new ArgumentException(mapped.Client is null
                ? $"The route '{mapped.Pattern}' needs the client without a name, which was not added: call AddMuxClient, or name a client in the route."
                : $"The route '{mapped.Pattern}' needs the client '{mapped.Client}', which was not added: call AddKeyedMuxClient(\"{mapped.Client}\").");
        }

        var route = new MuxRoute(mapped.Pattern, channel);
        mapped.Configure?.Invoke(route);
        server.AddRoute(route);
    }
}
