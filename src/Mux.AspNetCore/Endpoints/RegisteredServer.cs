using Microsoft.Extensions.DependencyInjection;

namespace Mux.AspNetCore.Endpoints;

/// <summary>Finds out when endpoints are set up, and not at their first connection, whether anything can serve them.</summary>
internal static class RegisteredServer
{
    /// <param name="services">Of the application.</param>
    /// <param name="what">Who serves what, such as "UseMux serves connections".</param>
    /// <exception cref="InvalidOperationException">The application has no server: AddMuxServer was not called.</exception>
    public static void Require(IServiceProvider services, string what)
    {
        if (services.GetService<IServiceProviderIsService>() is { } known && !known.IsService(typeof(MuxServer)))
            throw new InvalidOperationException($"{what} by the application's MuxServer, and there is none: call services.AddMuxServer(string.Empty), or " +
                $"with an address at which it listens as well.");
    }
}
