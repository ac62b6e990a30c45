using Microsoft.Extensions.DependencyInjection;
using Mux.Dispatch;

namespace Mux.Hosting;

/// <summary>An instance for each call, from a scope of its own.</summary>
internal sealed class ScopedServiceSource<TContract, TImplementation>(IServiceScopeFactory scopes) : ServiceSource<TContract>
    where TContract : class
    where TImplementation : class, TContract
{
    public override ServiceLease<TContract> Open()
    {
        var scope = scopes.CreateAsyncScope();
        try
        {
            return new(scope.ServiceProvider.GetRequiredService<TImplementation>(), scope);
        }
        catch
        {
            scope.Dispose();
            throw;
        }
    }
}
