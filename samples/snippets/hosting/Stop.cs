using Mux;
using Mux.Discovery;

namespace Shop;

public static class Stop
{
    public static async Task StopServerAsync(MuxServer server, IEndpointRegistry registry, CancellationToken cancellationToken)
    {
        server.AnnounceStop();                             // health checks fail, and clients move to other servers
        await registry.DeregisterAsync(cancellationToken); // new clients do not find the server
        await server.StopAsync(cancellationToken);         // waits for StopDelay, then drains
    }
}
