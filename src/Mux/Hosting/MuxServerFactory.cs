using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.Hosting;

/// <summary>Creates the server of a host from its options, with all services that were added.</summary>
internal static class MuxServerFactory
{
    public static MuxServer Create(IServiceProvider provider)
    {
        var server = new MuxServer(provider.GetRequiredService<IOptions<MuxServerOptions>>().Value, provider.GetService<ILoggerFactory>());
        foreach (var registration in provider.GetServices<ServiceRegistration>()) registration.AddTo(provider, server);
        return server;
    }
}
