using Microsoft.Extensions.Hosting;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Hosting;

/// <summary>A host that was started. Its disposal blocks no thread: the memory transport has only one.</summary>
public sealed class RunningHost(IHost host) : IAsyncDisposable
{
    public IServiceProvider Services => host.Services;

    public Task StopAsync(CancellationToken cancellationToken) => host.StopAsync(cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await StopAsync(CancellationToken.None).Within("the stop of a host");
        await ((IAsyncDisposable)host).DisposeAsync().AsTask().Within("the disposal of a host");
    }
}
