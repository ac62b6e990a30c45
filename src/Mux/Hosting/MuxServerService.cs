using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Configuration;

namespace Mux.Hosting;

/// <summary>
/// Starts the server with the host, registers it, and withdraws and drains it when the host stops. The server is created only when the host starts: a host
/// creates its hosted services before it validates options, and the server would then report only its own invalid options.
/// </summary>
/// <remarks>
/// <para>A server whose address nothing has set listens only if no endpoint is announced. A web host may call UseMux and MapMuxWebSocket as late as in its own
/// start, after that of the server: such a server starts with the first announcement, or else when all services of the host have started. A failure of either
/// still fails the start of the host.</para>
/// <para>The server is registered when all services of the host have started. It is withdrawn, and serves for its StopDelay, before any service of the host
/// stops: until then the endpoints of ASP.NET Core serve too, and answer probes.</para>
/// </remarks>
internal sealed class MuxServerService(IServiceProvider provider) : IHostedLifecycleService
{
    private MuxServer? _server;
    private EndpointAnnouncement[] _announcements = [];
    private bool _isWaiting; // for endpoints, until all services have started

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        var server = _server = provider.GetRequiredService<MuxServer>();
        _announcements = [.. provider.GetServices<EndpointAnnouncement>()]; // what is wrong with a registry fails the start
        var options = provider.GetRequiredService<IOptions<MuxServerOptions>>().Value;
        if (!provider.GetRequiredService<DefaultAddress>().IsIn(options))
        {
            server.Start();
            return Task.CompletedTask;
        }

        provider.GetRequiredService<MuxServerEndpoints>().OnFirst(() =>
        {
            options.Address = string.Empty;
            server.Start();
        });
        _isWaiting = HasWebHost();
        if (!_isWaiting) ListenAtDefault(server);
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        if (_isWaiting) ListenAtDefault(_server!);
        foreach (var announcement in _announcements) announcement.Start(_server!);
        return Task.CompletedTask;
    }

    public async Task StoppingAsync(CancellationToken cancellationToken)
    {
        if (_server is not { } server) return;
        server.AnnounceStop();
        await Task.WhenAll(_announcements.Select(announcement => announcement.WithdrawAsync(cancellationToken))).ConfigureAwait(false);
        await server.AwaitStopDelayAsync(cancellationToken).ConfigureAwait(false);
    }

    public Task StopAsync(CancellationToken cancellationToken) => _server?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Starts the server at its default address, unless an endpoint was announced and has started it.</summary>
    private void ListenAtDefault(MuxServer server)
    {
        string address = provider.GetRequiredService<IOptions<MuxServerOptions>>().Value.Address;
        if (!provider.GetRequiredService<MuxServerEndpoints>().TryClose(address)) return;
        if (provider.GetService<IConfiguration>() is { } configuration && !configuration.GetSection(ConfigurationPaths.Server).Exists())
        {
            var logger = provider.GetRequiredService<ILoggerFactory>().CreateLogger("Mux.Server");
            HostLog.AddressIsDefault(logger, address, ConfigurationPaths.Server);
        }

        server.Start();
    }

    /// <summary>
    /// True if ASP.NET Core runs in the generic host. This package does not depend on it, so its service is known by name only. Under another name,
    /// <see cref="MuxServerEndpoints.Announce"/> would report a late endpoint.
    /// </summary>
    private bool HasWebHost() =>
        provider.GetServices<IHostedService>().Any(static service => service.GetType().FullName == "Microsoft.AspNetCore.Hosting.GenericWebHostService");
}
