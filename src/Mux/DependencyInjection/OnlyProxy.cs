using Microsoft.Extensions.DependencyInjection;
using Mux.Hosting;

namespace Mux.DependencyInjection;

/// <summary>
/// The proxy of a contract without a key, while only one client with a name has one. Of several clients none is chosen, because the order of registrations
/// would then decide where calls go; the contract is not registered without a key then, so that the container and its checks treat it like any missing service.
/// </summary>
/// <typeparam name="TContract">The contract interface.</typeparam>
internal static class OnlyProxy<TContract>
    where TContract : class
{
    /// <summary>The registration. One object for all service collections, so that later clients can find and remove it.</summary>
    public static ServiceDescriptor Descriptor { get; } = ServiceDescriptor.Singleton(Resolve);

    /// <exception cref="InvalidOperationException">Service collections were merged that have different clients of the contract.</exception>
    private static TContract Resolve(IServiceProvider provider)
    {
        var clients = SeveralProxies.ClientsOf(typeof(TContract), provider);
        return clients is [var only] ? provider.GetRequiredKeyedService<TContract>(only)
            : throw new InvalidOperationException($"{typeof(TContract)} cannot be injected without a key: " +
                $"{SeveralProxies.Describe(typeof(TContract), clients)}.");
    }
}
