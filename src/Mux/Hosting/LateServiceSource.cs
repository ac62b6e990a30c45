using Microsoft.Extensions.DependencyInjection;
using Mux.Services;

namespace Mux.Hosting;

/// <summary>
/// Provides the one instance of a client's service, which the container creates at the first call: it may need a proxy of the same client, which needs the
/// channel, which needs this.
/// </summary>
internal sealed class LateServiceSource<TContract, TImplementation>(IServiceProvider provider) : ServiceSource<TContract>
    where TContract : class
    where TImplementation : class, TContract
{
    private TImplementation? _instance; // the container has one, whichever thread asks first

    public override Type ImplementationType => typeof(TImplementation);

    public override ServiceLease<TContract> Open() => new(_instance ??= provider.GetRequiredService<TImplementation>(), null);
}
