using Microsoft.Extensions.DependencyInjection;

namespace Mux.AspNetCore.Endpoints;

/// <summary>Checks that a server is registered when endpoints are set up, and not at their first connection.</summary>
internal static class RegisteredServer
{
    /// <param name="services">Services of the application.</param>
    /// <param name="what">Start of the message, such as "UseMux serves connections".</param>
    /// <exception cref="InvalidOperationException">The application has no server: AddMuxServer was not called.</exception>
    public static void Require(IServiceProvider services, string what)
    {
        if (services.GetService<IServiceProviderIsService>() is { } known && !known.IsService(typeof(MuxServer)))
            throw new InvalidOperationException($"{what} with the application's MuxServer, but there is none: call services.AddMuxServer(string.Empty), or " +
                "pass an address at which the server listens too.");
    }
}
