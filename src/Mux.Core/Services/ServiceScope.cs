using Microsoft.Extensions.Logging;
using Mux.Diagnostics;

namespace Mux.Services;

/// <summary>Disposes the scope of a call's service. Exceptions are only logged, because the call is already answered.</summary>
internal static class ServiceScope
{
    public static void End<TService>(in ServiceLease<TService> lease, ILogger logger, string method)
        where TService : class
    {
        if (lease.Scope is not { } scope) return;
        try
        {
            var disposing = scope.DisposeAsync();
            if (disposing.IsCompletedSuccessfully) disposing.GetAwaiter().GetResult();
            else _ = AwaitAsync(disposing, logger, method);
        }
        catch (Exception error)
        {
            ServerLog.ScopeFailed(logger, method, error);
        }
    }

    private static async Task AwaitAsync(ValueTask disposing, ILogger logger, string method)
    {
        try
        {
            await disposing.ConfigureAwait(false);
        }
        catch (Exception error)
        {
            ServerLog.ScopeFailed(logger, method, error);
        }
    }
}
