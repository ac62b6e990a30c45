using System.Diagnostics;
using Mux;

namespace Ticker;

/// <summary>A server that publishes ticks. Each is encoded once, for whatever number of subscribers.</summary>
public sealed class Market : IMarket, IAsyncDisposable
{
    private readonly MuxTopics<string, Tick> _ticks = new(new MuxTopicOptions { Queue = 1_024, WhenSlow = MuxSlowSubscriber.DropOldest });
    private readonly MuxServer _server;
    private readonly int[] _cents = [.. Shares.Names.Select(_ => Shares.FirstPrice)];
    private uint _chance = 1;

    private Market(MuxServerOptions options)
    {
        _server = new MuxServer(options).AddService<IMarket>(this);
        _server.Start();
    }

    public string Address => _server.Address.ToString();

    public MuxTopicStatistics Statistics => _ticks.GetStatistics();

    public static Market Start(string address) => new(new MuxServerOptions { Address = address });

    public IAsyncEnumerable<Tick> Watch(CancellationToken cancellationToken) => _ticks.Subscribe("all");

    /// <summary>Publishes so many ticks per second until it is stopped. It never waits for a subscriber.</summary>
    public async Task PublishAsync(int perSecond, CancellationToken stop)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        var watch = Stopwatch.StartNew();
        try
        {
            for (long made = 0; await timer.WaitForNextTickAsync(stop);)
            {
                for (long due = (long)(watch.Elapsed.TotalSeconds * perSecond); made < due; made++) PublishOne();
            }
        }
        catch (OperationCanceledException)
        {
            // That is how it ends.
        }
    }

    /// <summary>A share changes its price by chance. One caller at a time.</summary>
    public void PublishOne()
    {
        _chance = (_chance * 1_664_525) + 1_013_904_223; // the generator of Numerical Recipes: the same prices every time
        int share = (int)((_chance >> 8) % (uint)_cents.Length), change = (int)(_chance >> 24) - 127;
        _cents[share] = Math.Max(1, _cents[share] + (change / 16));
        _ticks.Publish("all", new Tick { Share = share, Cents = _cents[share], At = DateTime.UtcNow.Ticks });
    }

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
