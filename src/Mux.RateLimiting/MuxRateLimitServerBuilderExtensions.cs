using System.Threading.RateLimiting;
using Mux;
using Mux.DependencyInjection;
using Mux.RateLimiting;

#pragma warning disable IDE0130 // where users look for what they add to the server of a host
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Limits the calls of the callers of a host's server.</summary>
public static class MuxRateLimitServerBuilderExtensions
{
    /// <summary>Limits the calls of each caller of the server: see <see cref="MuxRateLimitFilter"/>. The container disposes the limiters with the
    /// host.</summary>
    /// <param name="builder">The server.</param>
    /// <param name="partition">Gets the limit of a caller from its key: see <see cref="MuxCallerKey"/>.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    public static IMuxServerBuilder AddRateLimitFilter(this IMuxServerBuilder builder, Func<string, RateLimitPartition<string>> partition)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(partition);
        var key = Register(builder.Services, partition);
        return builder.AddFilter(provider => provider.GetRequiredKeyedService<MuxRateLimitFilter>(key));
    }

    /// <summary>Limits the calls that each caller makes of a contract, or of one method of it.</summary>
    /// <typeparam name="TContract">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <param name="builder">The server.</param>
    /// <param name="partition">Gets the limit of a caller from its key: see <see cref="MuxCallerKey"/>.</param>
    /// <param name="method">Name of the method, as <c>nameof(IOrders.Place)</c>; null for all methods together.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException">A parameter is null.</exception>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public static IMuxServerBuilder AddRateLimitFilter<TContract>(
        this IMuxServerBuilder builder, Func<string, RateLimitPartition<string>> partition, string? method = null)
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(partition);
        var key = Register(builder.Services, partition);
        return builder.AddFilter<TContract>(provider => provider.GetRequiredKeyedService<MuxRateLimitFilter>(key), method);
    }

    /// <summary>Registers a filter that the container creates, and so disposes.</summary>
    private static object Register(IServiceCollection services, Func<string, RateLimitPartition<string>> partition)
    {
        var key = new object();
        services.AddKeyedSingleton(key, (_, _) => MuxRateLimitFilter.PerCaller(partition));
        return key;
    }
}
