using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using SideBySide.Stacks;

namespace FanOut.Stacks;

/// <summary>A topic of Mux. Only its queue is not the default: a publisher without a pause must not make a subscriber miss items here, where all are counted.</summary>
internal sealed class TopicFeed : Feed, IItems
{
    /// <summary>Items that subscribers may be behind on average: what they get in the millisecond that the publisher then sleeps.</summary>
    private const int Ahead = 64;

    private readonly MuxTopics<int, byte[]> _topics = new(new MuxTopicOptions { Queue = 1_024 });
    private readonly MuxServer _server;

    public TopicFeed(int connections)
    {
        _server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", MaxConnections = connections + 16, Transport = Transport() }).AddService<IItems>(this);
        _server.Start();
    }

    public override int Port => _server.Address.Port;

    public override int CountedLength => ItemLength;

    public override int Subscribers => _topics.GetStatistics().Subscribers;

    public IAsyncEnumerable<byte[]> Watch(CancellationToken cancellationToken) => _topics.Subscribe(0);

    /// <inheritdoc/>
    /// <remarks>A topic does not wait for its subscribers, so the publisher looks how far behind they are.</remarks>
    public override async Task<long> PublishAsync(TimeSpan time)
    {
        await Task.Yield();
        var before = _topics.GetStatistics();
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < time;)
        {
            var now = _topics.GetStatistics();
            if (((now.Published - before.Published) * now.Subscribers) - (now.Delivered - before.Delivered) > Ahead * now.Subscribers) Thread.Sleep(1);
            else _topics.Publish(0, new byte[ItemLength]);
        }

        return _topics.GetStatistics().Published - before.Published;
    }

    public override ValueTask DisposeAsync() => _server.DisposeAsync();

    /// <summary>The engine that is the default, with the congestion control of all stacks.</summary>
    private static ITransport Transport() => EpollTransport.IsSupported
        ? new EpollTransport(new EpollTransportOptions { CongestionControl = Loopback.Congestion }, NullLogger.Instance, TimeProvider.System)
        : new SocketTransport(new SocketTransportOptions { CongestionControl = Loopback.Congestion }, NullLogger.Instance, TimeProvider.System);
}
