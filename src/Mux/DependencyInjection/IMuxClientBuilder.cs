using Microsoft.Extensions.DependencyInjection;

namespace Mux.DependencyInjection;

/// <summary>Adds proxies to a client of a host.</summary>
public interface IMuxClientBuilder
{
    /// <summary>The services of the host.</summary>
    IServiceCollection Services { get; }

    /// <summary>The name of the client, or null for the one without a name.</summary>
    string? Name { get; }

    /// <summary>Makes a contract injectable: as it is for the client without a name, by key for a named one.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <returns>This builder.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    IMuxClientBuilder AddProxy<TContract>()
        where TContract : class;
}
