using Microsoft.Extensions.DependencyInjection;
using Mux.Services;

namespace Mux.Hosting;

/// <summary>Provides a new instance for each call, from its own scope.</summary>
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
            return new(scope.ServiceProvider.GetRequiredService<TImplementation>(), new CallScope(scope));
        }
        catch
        {
            _ = EndAsync(scope);
            throw;
        }
    }

    /// <summary>Ends the scope of an instance that could not be created. An exception of its disposal would hide the reason.</summary>
    private static async Task EndAsync(AsyncServiceScope scope)
    {
        try
        {
            await scope.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // the call fails for the original reason, which is logged
        }
    }
}
