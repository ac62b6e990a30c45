using Mux.Transports;

namespace Seeds.Load;

/// <summary>Channels of one connection each, as the load generator of the tool has them.</summary>
internal sealed class Clients : IAsyncDisposable
{
    private Clients(MuxChannel[] channels) => Channels = channels;

    public MuxChannel[] Channels { get; }

    public static async Task<Clients> ConnectAsync(string address, int connections, ITransport transport)
    {
        var channels = new MuxChannel[connections];
        for (int i = 0; i < connections; i++) channels[i] = MuxChannel.Create(new MuxChannelOptions { Address = address, MaxConnections = 1, Transport = transport });
        foreach (var channel in channels) await channel.ConnectAsync(CancellationToken.None);
        return new Clients(channels);
    }

    /// <summary>A proxy on each.</summary>
    public TService[] Proxies<TService>()
        where TService : class => Array.ConvertAll(Channels, channel => channel.CreateProxy<TService>());

    public async ValueTask DisposeAsync() => await Task.WhenAll(Channels.Select(channel => channel.DisposeAsync().AsTask()));
}
