using Microsoft.Extensions.DependencyInjection;
using Mux.Configuration;

namespace Mux.DependencyInjection;

/// <summary>
/// The proxy of a contract without a key, while only clients with names have one: that of the only client. Of several clients none is chosen, because the order
/// of registrations would then decide where calls go.
/// </summary>
/// <typeparam name="TContract">The contract interface.</typeparam>
internal static class OnlyProxy<TContract>
    where TContract : class
{
    /// <summary>The registration. One object for all service collections, so that the client without a name can find and replace it.</summary>
    public static ServiceDescriptor Descriptor { get; } = ServiceDescriptor.Singleton(Resolve);

    private static TContract Resolve(IServiceProvider provider)
    {
        var clients = provider.GetServices<ProxyRegistration>().Where(proxy => proxy.Contract == typeof(TContract)).Select(proxy => proxy.Client)
            .Distinct(StringComparer.Ordinal).ToList();
        return clients is [var only] ? provider.GetRequiredKeyedService<TContract>(only) : throw Ambiguity(clients);
    }

    private static InvalidOperationException Ambiguity(List<string> clients)
    {
        string name = typeof(TContract).Name;
        return new InvalidOperationException($"{typeof(TContract)} was added to several clients ({string.Join(", ", clients)}), so it needs the name of one " +
            $"as its key: [FromKeyedServices(\"{clients[0]}\")] {name} in a constructor, or " +
            $"GetRequiredKeyedService<{name}>(\"{clients[0]}\").");
    }
}
