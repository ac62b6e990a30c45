using Mux.Backplanes;

namespace Mux.Tests.Groups;

/// <summary>A backplane that takes subscriptions only while the test says so.</summary>
internal sealed class RefusingBackplane() : MuxBackplane("refusing")
{
    private int _subscriptions;

    public bool Refuses { get; set; } = true;

    /// <summary>Runs while something subscribes.</summary>
    public Action OnSubscribing { get; set; } = static () => { };

    public int Subscriptions => Volatile.Read(ref _subscriptions);

    public override int Queued => 0;

    public override bool TrySend(string channel, ReadOnlyMemory<byte> message) => !Refuses;

    public override bool TryPublish(string channel, ReadOnlyMemory<byte> message, int retain, long tag) => !Refuses;

    public override IDisposable Subscribe(string channel, BackplaneSubscriber subscriber, int retained)
    {
        OnSubscribing();
        ObjectDisposedException.ThrowIf(Refuses, this);
        Interlocked.Increment(ref _subscriptions);
        return new Subscription(this);
    }

    private sealed class Subscription(RefusingBackplane owner) : IDisposable
    {
        public void Dispose() => Interlocked.Decrement(ref owner._subscriptions);
    }
}
