using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.Hosting;

/// <summary>Creates the server of a host from its options, with all services that were added.</summary>
internal static class MuxServerFactory
{
    /// <exception cref="InvalidOperationException">Services cannot be created; the message names all of them.</exception>
    public static MuxServer Create(IServiceProvider provider)
    {
        var options = provider.GetRequiredService<IOptions<MuxServerOptions>>().Value;
        options.Filters.Services ??= provider;
        var server = new MuxServer(options, provider.GetService<ILoggerFactory>()) { Peers = provider.GetRequiredService<MuxPeers>() };
        var mistakes = new List<string>();
        foreach (var registration in provider.GetServices<ServiceRegistration>())
        {
            if (registration.AddTo(provider, server) is { } mistake) mistakes.Add($"{registration.Contract} cannot be served: {mistake}");
        }

        if (mistakes.Count > 0) throw new InvalidOperationException(string.Join(Environment.NewLine, mistakes));
        foreach (var initializer in provider.GetServices<ServerInitializer>()) initializer.Initialize(provider, server);
        return server;
    }
}
