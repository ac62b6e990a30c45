using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Backplanes;
using Mux.Redis;
using Mux.Redis.DependencyInjection;

#pragma warning disable IDE0130 // where users look for what they add to a service collection
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Lets the topics and groups of a host reach other servers.</summary>
public static class MuxRedisServiceCollectionExtensions
{
    /// <summary>
    /// Adds Redis as the <see cref="MuxBackplane"/> of this host, which topics with <c>ShareAs</c> and groups with <c>IsShared</c> use. It connects
    /// when the host starts, which does not wait for it. Options come from the configuration section <c>Mux:Redis</c>; options in code override them.
    /// They are validated when the host starts.
    /// </summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configuration">See <see cref="MuxRedisOptions.Configuration"/>; null to use the configuration of the host.</param>
    /// <param name="configure">Sets further options. To use a connection that the host has: <c>services.AddOptions&lt;MuxRedisOptions&gt;()
    /// .Configure&lt;IConnectionMultiplexer&gt;((options, connection) => options.Connection = connection)</c>.</param>
    /// <returns><paramref name="services"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static IServiceCollection AddMuxRedis(this IServiceCollection services, string? configuration = null, Action<MuxRedisOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (!services.Any(static service => service.ServiceType == typeof(IValidateOptions<MuxRedisOptions>)))
        {
            services.AddSingleton<IValidateOptions<MuxRedisOptions>, RedisSection>();
            services.Insert(0, ServiceDescriptor.Singleton<IConfigureOptions<MuxRedisOptions>, RedisSection>()); // first: code overrides it
        }

        var options = services.AddOptions<MuxRedisOptions>().ValidateOnStart();
        if (configuration is not null) options.Configure(redis => redis.Configuration = configuration);
        if (configure is not null) options.Configure(configure);
        services.TryAddSingleton<MuxBackplane>(static provider => new RedisBackplane(
            provider.GetRequiredService<IOptions<MuxRedisOptions>>().Value, provider.GetService<ILoggerFactory>(), provider.GetService<IMeterFactory>(),
            provider.GetService<TimeProvider>()));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHostedService, RedisStart>());
        return services;
    }
}
