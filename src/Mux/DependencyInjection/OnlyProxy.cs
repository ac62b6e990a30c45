using Microsoft.Extensions.DependencyInjection;
using Mux.Hosting;

namespace Mux.DependencyInjection;

/// <summary>
/// The proxy of a contract without a key: that of the only client with a name that has one. Of several clients none is chosen, because the order of
/// registrations would then decide where calls go. The registration stays then, because the container cannot name the clients of a contract that is missing.
/// </summary>
/// <typeparam name="TContract">The contract interface.</typeparam>
internal static class OnlyProxy<TContract>
    where TContract : class
{
    /// <summary>The registration, which the first client with the contract adds.</summary>
    public static OnlyProxyDescriptor Descriptor { get; } = new(typeof(TContract), Resolve);

    /// <exception cref="InvalidOperationException">Several clients have the contract.</exception>
    private static TContract Resolve(IServiceProvider provider)
    {
        var clients = SeveralProxies.ClientsOf(typeof(TContract), provider);
        return clients is [var only] ? provider.GetRequiredKeyedService<TContract>(only)
            : throw new InvalidOperationException($"{typeof(TContract)} cannot be injected without a key: " +
                $"{SeveralProxies.Describe(typeof(TContract), clients)}.");
    }
}
