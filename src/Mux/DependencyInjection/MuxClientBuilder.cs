using Microsoft.Extensions.DependencyInjection;
using Mux.Contracts;

namespace Mux.DependencyInjection;

/// <summary>Registers proxies of one client.</summary>
internal sealed class MuxClientBuilder(IServiceCollection services, string? name) : IMuxClientBuilder
{
    public IServiceCollection Services => services;

    public string? Name => name;

    public IMuxClientBuilder AddProxy<TContract>()
        where TContract : class
    {
        _ = ServiceContract<TContract>.Get(); // an interface that is not a contract fails here, where the code names it
        if (name is null) services.AddSingleton(provider => provider.GetRequiredService<MuxChannel>().CreateProxy<TContract>());
        else services.AddKeyedSingleton(name, static (provider, key) => provider.GetRequiredKeyedService<MuxChannel>(key).CreateProxy<TContract>());
        return this;
    }
}
