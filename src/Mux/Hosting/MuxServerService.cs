using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

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
        _server.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => _server?.StopAsync(cancellationToken) ?? Task.CompletedTask;
}
