using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Mux;
using Mux.DependencyInjection;
using Mux.Filters;

#pragma warning disable IDE0130 // where users look for what they add, like all other extensions of the builders
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Adds the filters that come with the runtime to servers and clients of a host.</summary>
public static class MuxFilterBuilderExtensions
{
    private const string Reflection = "Validation attributes are read by reflection from the members of requests, which trimming may remove.";

    /// <summary>Logs every call of the server when it has ended: see <see cref="MuxLoggingFilter"/>. Add it before other filters.</summary>
    /// <param name="builder">The server.</param>
    /// <param name="success">Level of calls that end with <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="failure">Level of other calls.</param>
    /// <returns>The builder.</returns>
    public static IMuxServerBuilder AddLoggingFilter(
        this IMuxServerBuilder builder, LogLevel success = LogLevel.Information, LogLevel failure = LogLevel.Warning)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddFilter(provider => CreateLogging(provider, success, failure));
    }

    /// <summary>Logs every call of the client when it has ended: see <see cref="MuxLoggingFilter"/>. Add it before other filters.</summary>
    /// <param name="builder">The client.</param>
    /// <param name="success">Level of calls that end with <see cref="MuxStatus.Ok"/>.</param>
    /// <param name="failure">Level of other calls.</param>
    /// <returns>The builder.</returns>
    public static IMuxClientBuilder AddLoggingFilter(
        this IMuxClientBuilder builder, LogLevel success = LogLevel.Information, LogLevel failure = LogLevel.Warning)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddFilter(provider => CreateLogging(provider, success, failure));
    }

    /// <summary>Answers exceptions of handlers with the statuses that you choose: see <see cref="MuxExceptionFilter"/>.</summary>
    /// <param name="builder">The server.</param>
    /// <param name="configure">Fills the map.</param>
    /// <returns>The builder.</returns>
    public static IMuxServerBuilder AddExceptionFilter(this IMuxServerBuilder builder, Action<MuxExceptionMap> configure)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentNullException.ThrowIfNull(configure);
        var map = new MuxExceptionMap();
        configure(map);
        return builder.AddFilter(provider => new MuxExceptionFilter(map, provider.GetService<ILogger<MuxExceptionFilter>>()));
    }

    /// <summary>Refuses requests that are not valid by their <c>System.ComponentModel.DataAnnotations</c>: see <see cref="MuxValidationFilter"/>.</summary>
    /// <param name="builder">The server.</param>
    /// <returns>The builder.</returns>
    [RequiresUnreferencedCode(Reflection)]
    public static IMuxServerBuilder AddValidationFilter(this IMuxServerBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddFilter(static _ => new MuxValidationFilter());
    }

    /// <summary>Fails calls whose requests are not valid, before anything is sent: see <see cref="MuxValidationFilter"/>.</summary>
    /// <param name="builder">The client.</param>
    /// <returns>The builder.</returns>
    [RequiresUnreferencedCode(Reflection)]
    public static IMuxClientBuilder AddValidationFilter(this IMuxClientBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.AddFilter(static _ => new MuxValidationFilter());
    }

    private static MuxLoggingFilter CreateLogging(IServiceProvider provider, LogLevel success, LogLevel failure) =>
        new(provider.GetRequiredService<ILogger<MuxLoggingFilter>>(), success, failure);
}
