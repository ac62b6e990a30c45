using Mux;

namespace Ticker;

/// <summary>One subscriber with a connection of its own, which follows the market until it is stopped.</summary>
public sealed class Subscriber(MuxChannel channel, Board? board)
{
    private long _last; // number of the tick that came last
    private long _received;
    private long _missed;

    public long Received => Volatile.Read(ref _received);

    /// <summary>Ticks that the subscriber was too slow for.</summary>
    public long Missed => Volatile.Read(ref _missed);

    public async Task FollowAsync(CancellationToken stop)
    {
        var market = channel.CreateProxy<IMarket>();
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await foreach (var tick in market.Watch(stop)) Take(tick);
            }
            catch (MuxException error) when (error.Status == MuxStatus.Unavailable && !stop.IsCancellationRequested)
            {
                _last = 0; // what is missed from now on was missed because the market is away
                await Task.Delay(TimeSpan.FromMilliseconds(100), CancellationToken.None);
            }
            catch (Exception error) when (error is OperationCanceledException or MuxException { Status: MuxStatus.Cancelled or MuxStatus.Unavailable })
            {
                return;
            }
        }
    }

    private void Take(Tick tick)
    {
        if (_last > 0 && tick.Sequence > _last + 1) Volatile.Write(ref _missed, _missed + tick.Sequence - _last - 1);
        _last = tick.Sequence;
        Volatile.Write(ref _received, _received + 1);
        board?.Show(tick);
    }
}
