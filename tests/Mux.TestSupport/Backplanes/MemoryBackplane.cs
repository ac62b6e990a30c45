using Mux.Backplanes;

namespace Mux.TestSupport.Backplanes;

/// <summary>
/// The backplane of one server in memory. By itself nothing moves: each step takes one thing further, in the order that the test chooses.
/// <see cref="RunAsync"/> takes all steps as they come.
/// </summary>
public sealed class MemoryBackplane : MuxBackplane
{
    private readonly MemoryHub _hub;
    private readonly int _capacity;
    private readonly Lock _gate = new(); // guards what is below
    private readonly Queue<(string? Channel, ReadOnlyMemory<byte> Body, int Retain, long Tag, MemorySubscription? Looks)> _leaving = new();
    private readonly List<MemorySubscription> _subscriptions = [];
    private readonly SemaphoreSlim _news = new(0);
    private int _messages; // of what is leaving

    public MemoryBackplane(MemoryHub hub, int capacity = 1_000, MemoryBackplaneSetup? setup = null)
        : base("memory", setup?.Loggers, setup?.Meters)
    {
        (_hub, _capacity) = (hub, capacity);
        TryEnter(BackplaneState.Connected);
    }

    public override int Queued => Volatile.Read(ref _messages);

    public int Subscriptions
    {
        get
        {
            lock (_gate) return _subscriptions.Count;
        }
    }

    public override bool TrySend(string channel, ReadOnlyMemory<byte> message) => TryPublish(channel, message, retain: -1, tag: 0);

    public override bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag)
    {
        bool isFull;
        lock (_gate)
        {
            isFull = _messages >= _capacity;
            if (!isFull && State != BackplaneState.Interrupted)
            {
                _leaving.Enqueue((channel, message, retain, tag, null));
                _messages++;
                OnTaken();
                _news.Release();
                return true;
            }
        }

        OnRefused(isFull);
        return false;
    }

    public override IDisposable Subscribe(string channel, BackplaneSubscriber subscriber, int retained)
    {
        var subscription = new MemorySubscription(this, channel, subscriber, retained);
        lock (_gate)
        {
            _subscriptions.Add(subscription);
            if (State == BackplaneState.Interrupted) return subscription;
            _hub.Add(subscription);
            _leaving.Enqueue((null, default, 0, 0, subscription));
        }

        _news.Release();
        return subscription;
    }

    /// <summary>The oldest thing that leaves gets to the hub.</summary>
    /// <returns>False if there is none.</returns>
    public bool StepOut()
    {
        (string? Channel, ReadOnlyMemory<byte> Body, int Retain, long Tag, MemorySubscription? Looks) next;
        List<MemorySubscription> told;
        lock (_gate)
        {
            if (!_leaving.TryDequeue(out next)) return false;
            if (next.Channel is not null) _messages--;
            told = [.. _subscriptions.Where(one => one.Channel == next.Channel)];
        }

        if (next.Looks is { } looks)
        {
            _hub.Look(looks);
            return true;
        }

        long number = _hub.Publish(next.Channel!, next.Body, next.Retain);
        foreach (var subscription in told) subscription.Subscriber.OnPublished(next.Tag, number);
        return true;
    }

    /// <summary>One message comes from the hub, to one of the subscriptions that have some.</summary>
    /// <returns>False if there is none.</returns>
    public bool StepIn(Random? random = null)
    {
        List<MemorySubscription> all;
        lock (_gate) all = [.. _subscriptions.Where(one => one.HasMessages)];
        if (all.Count == 0 || !all[random?.Next(all.Count) ?? 0].Step()) return false;
        OnReceived();
        return true;
    }

    /// <summary>The connection ends. Some of what is leaving may reach the hub nevertheless, unknown to this side.</summary>
    public void Interrupt(int arrives = 0)
    {
        List<MemorySubscription> all;
        lock (_gate)
        {
            if (!TryEnter(BackplaneState.Interrupted)) return;
            for (; arrives > 0 && _leaving.TryDequeue(out var next); arrives--)
            {
                if (next.Channel is not null) _hub.Publish(next.Channel, next.Body, next.Retain);
            }

            _leaving.Clear();
            _messages = 0;
            all = [.. _subscriptions];
        }

        LogState("the test says so");
        foreach (var subscription in all)
        {
            _hub.Remove(subscription);
            subscription.Lose();
            subscription.Subscriber.OnInterrupted();
        }
    }

    /// <summary>The connection is there again.</summary>
    public void Heal()
    {
        lock (_gate)
        {
            if (!TryEnter(BackplaneState.Connected)) return;
            foreach (var subscription in _subscriptions)
            {
                _hub.Add(subscription);
                _leaving.Enqueue((null, default, 0, 0, subscription));
            }
        }

        LogState("");
        _news.Release();
    }

    /// <summary>Takes all steps until nothing is left to do.</summary>
    public void Settle()
    {
        while (StepOut() || StepIn())
        {
        }
    }

    /// <summary>Takes each step soon, until the token is cancelled.</summary>
    /// <param name="all">All backplanes of the hub.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public static async Task RunAsync(IReadOnlyList<MemoryBackplane> all, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            foreach (var one in all) one.Settle();
            await Task.WhenAny(all.Select(one => one._news.WaitAsync(TimeSpan.FromMilliseconds(1), cancellationToken)));
        }
    }

    internal void Remove(MemorySubscription subscription)
    {
        lock (_gate) _subscriptions.Remove(subscription);
        _hub.Remove(subscription);
    }
}
