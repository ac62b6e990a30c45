using Mux.Transports;

namespace Evidence.Connections;

/// <summary>Connections that have shaken hands and make no calls.</summary>
internal sealed class IdleConnections : IAsyncDisposable
{
    // As many at a time: more would overflow the queue of a listening socket.
    private const int AtATime = 64;

    private readonly List<MuxChannel> _channels = [];

    public static async Task<IdleConnections> OpenAsync(string address, int count, ITransport transport)
    {
        var opened = new IdleConnections();
        for (int i = 0; i < count; i++) opened._channels.Add(MuxChannel.Create(new MuxChannelOptions { Address = address, Transport = transport }));
        foreach (var some in opened._channels.Chunk(AtATime)) await Task.WhenAll(some.Select(channel => channel.ConnectAsync(CancellationToken.None)));
        return opened;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var some in _channels.Chunk(AtATime)) await Task.WhenAll(some.Select(channel => channel.DisposeAsync().AsTask()));
    }
}
