using Microsoft.Extensions.Hosting;

namespace Mux.Hosting;

/// <summary>Starts the server with the host and drains it when the host stops.</summary>
internal sealed class MuxServerService(MuxServer server) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        server.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);
}
