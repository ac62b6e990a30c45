using Microsoft.Extensions.DependencyInjection;
using Mux.Filters;

namespace Mux.Hosting;

/// <summary>Runs a filter that is scoped: an instance for each call, from the scope of its service, or from one of its own.</summary>
/// <param name="host">The services of the host.</param>
/// <param name="scopes">Creates scopes for calls of services that have none.</param>
internal sealed class ScopedFilter<TFilter>(IServiceProvider host, IServiceScopeFactory scopes) : MuxFilter
    where TFilter : MuxFilter
{
    public override ValueTask RunAsync(MuxCall call, MuxNext next) => call.Services is { } services && services != host
        ? RunAsync(services, call, next)
        : RunInScopeAsync(call, next);

    private async ValueTask RunInScopeAsync(MuxCall call, MuxNext next)
    {
        var scope = scopes.CreateAsyncScope();
        await using var _ = scope.ConfigureAwait(false);
        await RunAsync(scope.ServiceProvider, call, next).ConfigureAwait(false);
    }

    private static ValueTask RunAsync(IServiceProvider services, MuxCall call, MuxNext next)
    {
        var filter = services.GetRequiredService<TFilter>();
        return filter.RunsOn(call.Side) ? filter.RunAsync(call, next) : next.RunAsync(call); // no instance exists before
    }
}
