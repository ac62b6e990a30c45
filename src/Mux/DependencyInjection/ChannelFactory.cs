using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Mux.DependencyInjection;

/// <summary>Creates the channel of a client from its options.</summary>
internal static class ChannelFactory
{
    public static MuxChannel Create(IServiceProvider provider, string name) =>
        MuxChannel.Create(provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name), provider.GetService<ILoggerFactory>());
}
