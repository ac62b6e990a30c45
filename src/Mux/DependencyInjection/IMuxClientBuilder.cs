using Microsoft.Extensions.DependencyInjection;

namespace Mux.DependencyInjection;

/// <summary>Adds proxies to a client of a host.</summary>
public interface IMuxClientBuilder
{
    /// <summary>Gets the services of the host.</summary>
    IServiceCollection Services { get; }

    /// <summary>Gets the name of the client, or null for the client without a name.</summary>
    string? Name { get; }

    /// <summary>
    /// Makes the proxy of a contract injectable. For a named client, the name is the key of the proxy; for the client without a name, the proxy has no key.
    /// </summary>
    /// <remarks>
    /// If only one client of the host has the contract, its proxy is also injected without a key. If several named clients have it, and the client without a
    /// name does not, the interface is not registered without a key; a service of the host's server that needs it then fails the start with an exception that
    /// names the clients. Your own registration of the interface takes precedence over the proxy of a named client, whichever comes first. Of your own
    /// registration and the proxy of the client without a name, the later one is injected, as with any two registrations.
    /// </remarks>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    IMuxClientBuilder AddProxy<TContract>()
        where TContract : class;
}
