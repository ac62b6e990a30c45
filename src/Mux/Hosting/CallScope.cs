using Microsoft.Extensions.DependencyInjection;

namespace Mux.Hosting;

/// <summary>The scope of a call, in which its filters find services, too.</summary>
internal sealed class CallScope(AsyncServiceScope scope) : IAsyncDisposable, IServiceProvider
{
    public object? GetService(Type serviceType) => scope.ServiceProvider.GetService(serviceType);

    public ValueTask DisposeAsync() => scope.DisposeAsync();
}
