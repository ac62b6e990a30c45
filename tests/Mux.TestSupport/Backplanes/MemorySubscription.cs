using System.Collections.Concurrent;
using Mux.Backplanes;

namespace Mux.TestSupport.Backplanes;

/// <summary>A subscription of one server, with the messages on their way to it.</summary>
internal sealed class MemorySubscription(MemoryBackplane owner, string channel, BackplaneSubscriber subscriber, int retained) : IDisposable
{
    private readonly ConcurrentQueue<(BackplaneMessage Message, BackplaneSnapshot? Snapshot)> _coming = new();

    public string Channel => channel;

    public BackplaneSubscriber Subscriber => subscriber;

    public int Retained => retained;

    public bool HasMessages => !_coming.IsEmpty;

    public void Add(BackplaneMessage message) => _coming.Enqueue((message, null));

    /// <summary>What the channel has comes in the order of its messages.</summary>
    public void Add(BackplaneSnapshot snapshot) => _coming.Enqueue((default, snapshot));

    /// <summary>One message arrives.</summary>
    public bool Step()
    {
        if (!_coming.TryDequeue(out var next)) return false;
        if (next.Snapshot is { } snapshot) subscriber.OnSynced(snapshot);
        else subscriber.OnMessage(next.Message);
        return true;
    }

    /// <summary>What is on its way is lost.</summary>
    public void Lose() => _coming.Clear();

    public void Dispose() => owner.Remove(this);
}
