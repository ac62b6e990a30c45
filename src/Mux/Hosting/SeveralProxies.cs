using Microsoft.Extensions.DependencyInjection;
using Mux.Configuration;

namespace Mux.Hosting;

/// <summary>Says how to choose among the proxies of a contract that several clients with names have.</summary>
internal static class SeveralProxies
{
    /// <summary>The clients with names that have a proxy of the contract, in the order in which they were added.</summary>
    public static List<string> ClientsOf(Type contract, IServiceProvider provider) => [.. provider.GetServices<ProxyRegistration>()
        .Where(proxy => proxy.Contract == contract).Select(proxy => proxy.Client).Distinct(StringComparer.Ordinal)];

    public static string Describe(Type contract, List<string> clients) =>
        $"it was added to several clients ({string.Join(", ", clients)}), so it needs the name of one as its key, such as " +
        $"[FromKeyedServices(\"{clients[0]}\")] {TypeName.Of(contract)}";
}
