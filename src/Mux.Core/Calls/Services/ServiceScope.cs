using Mux.Runtime;
using Mux.Services;

namespace Mux.Calls;

/// <summary>Disposes the scope of a call's service. Exceptions are only logged, because the call is already answered.</summary>
internal static class ServiceScope
{
    public static void End<TService>(in ServiceLease<TService> lease, HandlerFailures failures, Clock clock)
        where TService : class
    {
        if (lease.Scope is not { } scope) return;
        try
        {
            var disposing = scope.DisposeAsync();
            if (disposing.IsCompletedSuccessfully) disposing.GetAwaiter().GetResult();
            else _ = AwaitAsync(disposing, failures, clock);
        }
        catch (Exception error)
        {
            failures.OnScopeFailed(error, clock);
        }
    }

    private static async Task AwaitAsync(ValueTask disposing, HandlerFailures failures, Clock clock)
    {
        try
        {
            await disposing.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            failures.OnScopeFailed(error, clock);
        }
    }
}
