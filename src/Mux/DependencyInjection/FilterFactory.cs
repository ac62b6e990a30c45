using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using Mux.Contracts;
using Mux.Filters;
using Mux.Hosting;

namespace Mux.DependencyInjection;

/// <summary>Registers the types of filters, and gets their instances from the container of the host.</summary>
internal static class FilterFactory
{
    /// <summary>Gets a function that gets the filter of a server: one instance, or one for each call if it is registered as scoped.</summary>
    public static Func<IServiceProvider, MuxFilter> OfServer<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(
        IServiceCollection services)
        where TFilter : MuxFilter
    {
        services.TryAddSingleton<TFilter>();
        return provider => IsScoped<TFilter>(services)
            ? new ScopedFilter<TFilter>(provider, provider.GetRequiredService<IServiceScopeFactory>())
            : Resolve<TFilter>(provider, services);
    }

    /// <summary>Gets a function that gets the filter of a client, which is one instance.</summary>
    public static Func<IServiceProvider, MuxFilter> OfClient<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(
        IServiceCollection services)
        where TFilter : MuxFilter
    {
        services.TryAddSingleton<TFilter>();
        return provider => !IsScoped<TFilter>(services) ? Resolve<TFilter>(provider, services) : throw new InvalidOperationException(
            $"{typeof(TFilter)} is registered as scoped, but the calls of a client belong to no scope: register it as a singleton.");
    }

    /// <summary>Adds a filter to the options of a server or of a client.</summary>
    public static void Add<TOptions>(OptionsBuilder<TOptions> options, Func<IServiceProvider, MuxFilter> create)
        where TOptions : MuxOptions
    {
        ArgumentNullException.ThrowIfNull(create);
        options.Configure<IServiceProvider>((target, provider) => target.Filters.Add(create(provider)));
    }

    /// <summary>Adds a filter around the calls of a contract, or of one method of it. An interface that is not a contract fails here, where the code names
    /// it.</summary>
    public static void Add<TOptions, TContract>(OptionsBuilder<TOptions> options, Func<IServiceProvider, MuxFilter> create, string? method)
        where TOptions : MuxOptions
        where TContract : class
    {
        ArgumentNullException.ThrowIfNull(create);
        _ = ServiceContract<TContract>.Get();
        options.Configure<IServiceProvider>((target, provider) => target.Filters.Add<TContract>(create(provider), method));
    }

    private static bool IsScoped<TFilter>(IServiceCollection services) =>
        services.LastOrDefault(static service => !service.IsKeyedService && service.ServiceType == typeof(TFilter)) is { Lifetime: ServiceLifetime.Scoped };

    private static TFilter Resolve<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TFilter>(
        IServiceProvider provider, IServiceCollection services)
        where TFilter : MuxFilter
    {
        string? mistake = null;
        try
        {
            return provider.GetRequiredService<TFilter>();
        }
        catch (InvalidOperationException error) when ((mistake = new ConstructorCheck(provider, services).FindMistake(typeof(TFilter))) is not null)
        {
            throw new InvalidOperationException(mistake, error); // says more than the container
        }
    }
}
