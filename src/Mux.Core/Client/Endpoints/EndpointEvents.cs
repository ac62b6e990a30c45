using System.Threading.Channels;
using Mux.Discovery;

namespace Mux.Client;

/// <summary>Passes events of endpoints to their watchers. Costs nothing while there are none. Safe for concurrent use.</summary>
internal sealed class EndpointEvents(TimeProvider time)
{
    /// <summary>Events that wait for one reader. A slow one misses the oldest, and the next event that it reads says how many.</summary>
    public const int MostWaiting = 256;

    private readonly Lock _gate = new();
    private Watcher[] _watchers = []; // replaced under the lock
    private bool _isCompleted; // under the lock

    /// <summary>Reports a change.</summary>
    public void Add(MuxEndpointChange change, MuxEndpoint endpoint, string reason = "")
    {
        var watchers = Volatile.Read(ref _watchers);
        if (watchers.Length == 0) return;
        var told = new MuxEndpointEvent(change, endpoint) { At = time.GetUtcNow(), Reason = reason };
        foreach (var watcher in watchers) watcher.Add(told);
    }

    /// <summary>Ends all watches: the channel is disposed.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _isCompleted = true;
            foreach (var watcher in _watchers) watcher.Complete();
            _watchers = [];
        }
    }

    /// <summary>Reads events from now on, until the channel is disposed or the token is cancelled.</summary>
    public async IAsyncEnumerable<MuxEndpointEvent> WatchAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var watcher = new Watcher();
        lock (_gate)
        {
            if (_isCompleted) yield break;
            Volatile.Write(ref _watchers, [.. _watchers, watcher]);
        }

        try
        {
            await foreach (var told in watcher.Reader.ReadAllAsync(cancellationToken).ConfigureAwait(false))
            {
                yield return told with { Missed = watcher.TakeMissed() };
            }
        }
        finally
        {
            lock (_gate) Volatile.Write(ref _watchers, [.. _watchers.Where(other => other != watcher)]);
        }
    }

    private sealed class Watcher
    {
        private readonly Channel<MuxEndpointEvent> _events;
        private int _missed;

        public Watcher() => _events = Channel.CreateBounded<MuxEndpointEvent>(
            new BoundedChannelOptions(MostWaiting) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true },
            _ => Interlocked.Increment(ref _missed));

        public ChannelReader<MuxEndpointEvent> Reader => _events.Reader;

        public void Add(MuxEndpointEvent told) => _events.Writer.TryWrite(told);

        public void Complete() => _events.Writer.TryComplete();

        public int TakeMissed() => Interlocked.Exchange(ref _missed, 0);
    }
}
