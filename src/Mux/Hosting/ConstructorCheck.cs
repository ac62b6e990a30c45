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
internal sealed class ConstructorCheck(IServiceProvider provider)
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
    public ParameterInfo? FindScoped(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] Type implementation, IServiceCollection services)
    {
        if (_known is not { } known) return null;
        var called = implementation.GetConstructors().Select(constructor => constructor.GetParameters())
            .Where(parameters => parameters.All(parameter => IsProvided(parameter, known))).MaxBy(parameters => parameters.Length);
        return called?.FirstOrDefault(parameter => IsScoped(parameter, services));
    }

    private static bool IsScoped(ParameterInfo parameter, IServiceCollection services)
    {
        var (type, key) = (parameter.ParameterType, MissingPart.KeyOf(parameter));
        var registered = Last(type) ?? (type.IsGenericType ? Last(type.GetGenericTypeDefinition()) : null); // a closed type goes before an open one
        return registered is { Lifetime: ServiceLifetime.Scoped };

        ServiceDescriptor? Last(Type service) =>
            services.LastOrDefault(descriptor => descriptor.ServiceType == service && Equals(descriptor.ServiceKey, key));
    }

    private static bool IsProvided(ParameterInfo parameter, IServiceProviderIsService known)
    {
        if (parameter.HasDefaultValue) return true;
        return MissingPart.KeyOf(parameter) is { } key
            ? known is not IServiceProviderIsKeyedService keyed || keyed.IsKeyedService(parameter.ParameterType, key)
            : known.IsService(parameter.ParameterType);
    }

    private static IServiceProviderIsService? OfMicrosoft(IServiceProviderIsService? known) =>
        known?.GetType().Assembly == typeof(ServiceProvider).Assembly ? known : null;

    private static string Text(ConstructorInfo constructor)
    {
        var parameters = constructor.GetParameters().Select(parameter => $"{TypeName.Of(parameter.ParameterType)} {parameter.Name}");
        return $"{TypeName.Of(constructor.DeclaringType!)}({string.Join(", ", parameters)})";
    }
}
