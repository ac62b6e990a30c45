using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;

namespace Mux.Hosting;

/// <summary>
/// Finds constructor parameters of a service that the container cannot provide, or not for as long as the service lives, before the first call needs them.
/// Follows the rules of the container: a constructor can be used if each parameter is registered or has a default value, and one such constructor is enough.
/// These are the rules of Microsoft's own container: others can also use constructors that are not public, parameters given by name, and registrations that
/// the service collection does not show.
/// </summary>
/// <param name="provider">Services of the host.</param>
/// <param name="services">The registrations that <paramref name="provider"/> was built from.</param>
internal sealed class ConstructorCheck(IServiceProvider provider, IServiceCollection services)
{
    private readonly IServiceProviderIsService? _known = OfMicrosoft(provider.GetService<IServiceProviderIsService>()); // null for other containers

    /// <summary>
    /// Describes why an implementation cannot be created; null if it can be, as far as its own constructors show, and for containers with other rules.
    /// </summary>
    public string? FindMistake([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type implementation)
    {
        if (_known is not { } known) return null;
        var constructors = implementation.GetConstructors();
        if (constructors.Length == 0) return $"{implementation} has no public constructor.";
        var mistakes = new List<string>();
        foreach (var constructor in constructors)
        {
            var missing = constructor.GetParameters().Where(parameter => !IsProvided(parameter, known)).ToList();
            if (missing.Count == 0) return null;
            mistakes.Add($"the constructor {Text(constructor)} needs {string.Join(" and ", missing.Select(new MissingPart(provider).Describe))}");
        }

        return $"{implementation} cannot be created: {string.Join("; ", mistakes)}.";
    }

    /// <summary>Finds a scoped parameter of the constructor that the container calls; null if there is none, and for containers with other rules.</summary>
    public ParameterInfo? FindScoped([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type implementation)
    {
        if (_known is not { } known) return null;
        var called = implementation.GetConstructors().Select(constructor => constructor.GetParameters())
            .Where(parameters => parameters.All(parameter => IsProvided(parameter, known))).MaxBy(parameters => parameters.Length);
        return called?.FirstOrDefault(IsScoped);
    }

    private bool IsScoped(ParameterInfo parameter)
    {
        var (type, key) = (parameter.ParameterType, MissingPart.KeyOf(parameter));
        var registered = Last(type, key) ?? (type.IsGenericType ? Last(type.GetGenericTypeDefinition(), key) : null); // a closed type goes before an open one
        return registered is { Lifetime: ServiceLifetime.Scoped };
    }

    private bool IsProvided(ParameterInfo parameter, IServiceProviderIsService known)
    {
        var type = parameter.ParameterType;
        var key = MissingPart.KeyOf(parameter);
        if (key is null && Last(type, key) is OnlyProxyDescriptor && SeveralProxies.ClientsOf(type, provider).Count > 1) return false;
        if (parameter.HasDefaultValue) return true;
        return key is null ? known.IsService(type) : known is not IServiceProviderIsKeyedService keyed || keyed.IsKeyedService(type, key);
    }

    private ServiceDescriptor? Last(Type service, object? key) =>
        services.LastOrDefault(descriptor => descriptor.ServiceType == service && Equals(descriptor.ServiceKey, key));

    private static IServiceProviderIsService? OfMicrosoft(IServiceProviderIsService? known) =>
        known?.GetType().Assembly == typeof(ServiceProvider).Assembly ? known : null;

    private static string Text(ConstructorInfo constructor)
    {
        var parameters = constructor.GetParameters().Select(parameter => $"{TypeName.Of(parameter.ParameterType)} {parameter.Name}");
        return $"{TypeName.Of(constructor.DeclaringType!)}({string.Join(", ", parameters)})";
    }
}

/// <summary>The registration of a contract without a key for clients with names, which checks tell from a registration of the application.</summary>
/// <param name="contract">The contract interface.</param>
/// <param name="resolve">Gets the proxy of the only client; throws if several have one.</param>
internal sealed class OnlyProxyDescriptor(Type contract, Func<IServiceProvider, object> resolve)
    : ServiceDescriptor(contract, resolve, ServiceLifetime.Singleton);
