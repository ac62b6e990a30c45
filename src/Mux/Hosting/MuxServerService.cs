using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Configuration;

namespace Mux.Hosting;

/// <summary>
/// Starts the server with the host, and drains it when the host stops. The server is created only when the host starts: a host creates its hosted services
/// before it validates options, and the server would then report only its own invalid options.
/// </summary>
internal sealed class MuxServerService(IServiceProvider provider) : IHostedService
{
    private MuxServer? _server;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _server = provider.GetRequiredService<MuxServer>();
        var options = provider.GetRequiredService<IOptions<MuxServerOptions>>().Value;
        if (provider.GetRequiredService<DefaultAddress>().IsIn(options)) SettleAddress(options);
        _server.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => _server?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <summary>
    /// Decides where the server listens if nothing has set its address. By now all endpoints are announced: those of Kestrel when the host created its hosted
    /// services, the others before.
    /// </summary>
    private void SettleAddress(MuxServerOptions options)
    {
        if (provider.GetRequiredService<MuxServerEndpoints>().HasAny) options.Address = string.Empty;
        else if (provider.GetService<IConfiguration>() is { } configuration && !configuration.GetSection(ConfigurationPaths.Server).Exists())
        {
            var logger = provider.GetRequiredService<ILoggerFactory>().CreateLogger("Mux.Server");
            HostLog.AddressIsDefault(logger, options.Address, ConfigurationPaths.Server);
        }
    }
}
