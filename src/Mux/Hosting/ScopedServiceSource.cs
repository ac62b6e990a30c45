using Microsoft.Extensions.DependencyInjection;
using Mux.Services;

namespace Mux.Hosting;

/// <summary>An instance for each call, from a scope of its own.</summary>
internal sealed class ScopedServiceSource<TContract, TImplementation>(IServiceScopeFactory scopes) : ServiceSource<TContract>
    where TContract : class
    where TImplementation : class, TContract
{
    public override Type ImplementationType => typeof(TImplementation);

    public override ServiceLease<TContract> Open()
    {
        var scope = scopes.CreateAsyncScope();
        try
        {
            return new(scope.ServiceProvider.GetRequiredService<TImplementation>(), scope);
        }
        catch
        {
            _ = EndAsync(scope);
            throw;
        }
    }

    /// <summary>A scope in which something may be disposed asynchronously only. What its disposal throws would hide why there is no instance.</summary>
    private static async Task EndAsync(AsyncServiceScope scope)
    {
        try
        {
            await scope.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The call fails for the reason that came first, which is logged.
        }
    }
}
