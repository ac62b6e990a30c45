using Microsoft.Extensions.Hosting;
using Mux.Backplanes;

namespace Mux.Redis.DependencyInjection;

/// <summary>Lets the backplane connect when the host starts, which does not wait for it.</summary>
/// <param name="backplane">Connects as soon as it is created.</param>
internal sealed class RedisStart(MuxBackplane backplane) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        GC.KeepAlive(backplane);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
