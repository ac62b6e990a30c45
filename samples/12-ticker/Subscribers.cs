using Mux;

namespace Ticker;

/// <summary>Many subscribers of one market. The first of them shows its ticks on a board; the others only count.</summary>
public sealed class Subscribers : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly List<MuxChannel> _channels = [];
    private readonly List<Subscriber> _all = [];
    private readonly List<Task> _running = [];

    private Subscribers()
    {
    }

    public Board Board { get; } = new();

    public IReadOnlyList<Subscriber> All => _all;

    public long Received => _all.Sum(subscriber => subscriber.Received);

    public long Missed => _all.Sum(subscriber => subscriber.Missed);

    public static async Task<Subscribers> StartAsync(string address, int count)
    {
        var subscribers = new Subscribers();
        for (int i = 0; i < count; i++)
        {
            var channel = await MuxChannel.ConnectAsync(new MuxChannelOptions { Address = address, MaxConnections = 1 });
            var subscriber = new Subscriber(channel, i == 0 ? subscribers.Board : null);
            subscribers._channels.Add(channel);
            subscribers._all.Add(subscriber);
            subscribers._running.Add(subscriber.FollowAsync(subscribers._stop.Token));
        }

        return subscribers;
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await Task.WhenAll(_running);
        foreach (var channel in _channels) await channel.DisposeAsync();
        _stop.Dispose();
    }
}
