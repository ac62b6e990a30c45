using System.Collections.Concurrent;
using Mux.Push;

namespace Mux.Tests.Groups;

/// <summary>What carries calls between the servers of a test: one object for each server, with what they have in common. Nothing arrives before <see cref="Settle"/>.</summary>
internal sealed class MemoryRelay(ConcurrentDictionary<(string Group, object Subscription), Action<ReadOnlyMemory<byte>>> subscribers) : GroupRelay
{
    private readonly Queue<(string Group, byte[] Message)> _leaving = new();

    /// <summary>True if nothing is taken.</summary>
    public bool IsDown { get; set; }

    public List<string> Unreadable { get; } = [];

    public int Sent { get; private set; }

    public override bool TrySend(string group, byte[] message)
    {
        if (IsDown) return false;
        Sent++;
        _leaving.Enqueue((group, message));
        return true;
    }

    public override IDisposable Subscribe(string group, Action<ReadOnlyMemory<byte>> received)
    {
        var subscription = new Subscription(group, subscribers);
        subscribers[(group, subscription)] = received;
        return subscription;
    }

    public override void OnUnreadable(string group, string reason) => Unreadable.Add($"{group}: {reason}");

    /// <summary>What was sent arrives, in order.</summary>
    public void Settle()
    {
        while (_leaving.TryDequeue(out var next))
        {
            foreach (var (key, received) in subscribers)
            {
                if (key.Group == next.Group) received(next.Message);
            }
        }
    }

    private sealed class Subscription(string group, ConcurrentDictionary<(string Group, object Subscription), Action<ReadOnlyMemory<byte>>> subscribers) : IDisposable
    {
        public void Dispose() => subscribers.TryRemove((group, this), out _);
    }
}
