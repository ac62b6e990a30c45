using Microsoft.Extensions.DependencyInjection;
using Mux.Hosting;

namespace Mux.AspNetCore.Endpoints;

/// <summary>Finds the server of an application when an endpoint is set up, and not at its first connection.</summary>
internal static class RegisteredServer
{
    /// <summary>Announces an endpoint to the server of the application, which then listens itself only if an address is set.</summary>
    /// <param name="services">Services of the application.</param>
    /// <param name="what">Start of the message, such as "UseMux serves connections".</param>
    /// <exception cref="InvalidOperationException">The application has no server: AddMuxServer was not called.</exception>
    public static void Announce(IServiceProvider services, string what)
    {
        if (services.GetService<IServiceProviderIsService>() is { } known && !known.IsService(typeof(MuxServer)))
            throw new InvalidOperationException($"{what} with the application's MuxServer, but there is none: call services.AddMuxServer(), or pass an " +
                "address at which the server listens too.");
        services.GetService<MuxServerEndpoints>()?.Announce(); // none if the application has registered a server of its own
    }
}
