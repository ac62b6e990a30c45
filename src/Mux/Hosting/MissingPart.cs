using System.Globalization;
using System.Reflection;
using Microsoft.Extensions.DependencyInjection;

namespace Mux.Hosting;

/// <summary>Says how to register the service of a constructor parameter.</summary>
/// <param name="provider">Services of the host.</param>
internal sealed class MissingPart(IServiceProvider provider)
{
    /// <summary>The key by which the parameter is injected; null if it has none.</summary>
    public static object? KeyOf(ParameterInfo parameter) => parameter.GetCustomAttribute<FromKeyedServicesAttribute>()?.Key;

    public string Describe(ParameterInfo parameter)
    {
        var type = parameter.ParameterType;
        var key = KeyOf(parameter);
        string with = key is null ? string.Empty : $" with the key {Literal(key)}";
        var name = type.IsGenericType ? TypeName.Of(type) : type.ToString(); // a generic one as in C#, to be read
        return $"{name}{with} for '{parameter.Name}', which is not registered ({Remedy(type, key)})";
    }

    private string Remedy(Type type, object? key)
    {
        string name = TypeName.Of(type);
        if (type == typeof(MuxCallContext) || type == typeof(IMuxCallContextAccessor)) return "call AddCallContext() after AddMuxServer()";
        if (key is null && SeveralProxies.ClientsOf(type, provider) is { Count: > 1 } clients) return SeveralProxies.Describe(type, clients);
        if (key is null && PushRemedy(type) is { } push) return push;
        bool isContract = type.IsDefined(typeof(MuxServiceAttribute), inherit: false);
        return (isContract, key) switch
        {
            (true, string client) => $"call AddKeyedMuxClient({Literal(client)}).AddProxy<{name}>()",
            (true, null) => $"call AddMuxClient(address).AddProxy<{name}>() to call a server, or register an implementation",
            (_, not null) => $"call AddKeyedSingleton<{name}>({Literal(key)}, ...) or AddKeyedScoped",
            _ => $"call AddSingleton<{name}>(...) or AddScoped",
        };
    }

    /// <summary>How to register what pushes to clients; null for any other type.</summary>
    private static string? PushRemedy(Type type)
    {
        if (!type.IsGenericType) return null;
        var definition = type.GetGenericTypeDefinition();
        var method = definition == typeof(MuxGroups<,>) ? "AddMuxGroups"
            : definition == typeof(MuxGroup<>) ? "AddMuxGroup"
            : definition == typeof(MuxPeers<>) ? "AddMuxPeers"
            : definition == typeof(MuxTopics<,>) ? "AddMuxTopics"
            : null;
        return method is null ? null : $"call {method}<{string.Join(", ", type.GetGenericArguments().Select(TypeName.Of))}>()";
    }

    private static string Literal(object key) => key is string text ? $"\"{text}\"" : Convert.ToString(key, CultureInfo.InvariantCulture) ?? string.Empty;
}
