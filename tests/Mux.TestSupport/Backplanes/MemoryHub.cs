using Mux.Backplanes;

namespace Mux.TestSupport.Backplanes;

/// <summary>What the backplanes of several servers share, in memory: channels with numbers and retained messages.</summary>
public sealed class MemoryHub
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Channel> _channels = [];

    /// <summary>Names of the channels that have been published in.</summary>
    public IReadOnlyList<string> Channels
    {
        get
        {
            lock (_gate) return [.. _channels.Where(one => one.Value.Last > 0).Select(one => one.Key)];
        }
    }

    /// <summary>Numbers a message, retains it, and hands it to all subscriptions, also those of its own server. Nothing is retained or numbered below 0.</summary>
    public long Publish(string name, ReadOnlyMemory<byte> body, int retain)
    {
        lock (_gate)
        {
            var channel = Of(name);
            var message = new BackplaneMessage(retain < 0 ? 0 : ++channel.Last, body);
            if (retain > 0) channel.Retained.Add(message);
            if (retain >= 0 && channel.Retained.Count > retain) channel.Retained.RemoveRange(0, channel.Retained.Count - retain);
            foreach (var subscription in channel.Subscriptions) subscription.Add(message);
            return message.Number;
        }
    }

    internal void Add(MemorySubscription subscription)
    {
        lock (_gate) Of(subscription.Channel).Subscriptions.Add(subscription);
    }

    internal void Remove(MemorySubscription subscription)
    {
        lock (_gate) Of(subscription.Channel).Subscriptions.Remove(subscription);
    }

    internal void Look(MemorySubscription subscription)
    {
        lock (_gate)
        {
            var channel = Of(subscription.Channel);
            subscription.Add(new BackplaneSnapshot(channel.Last, [.. channel.Retained.TakeLast(subscription.Retained)]));
        }
    }

    private Channel Of(string name)
    {
        if (!_channels.TryGetValue(name, out var channel)) _channels.Add(name, channel = new Channel());
        return channel;
    }

    private sealed class Channel
    {
        public long Last { get; set; }

        public List<BackplaneMessage> Retained { get; } = [];

        public HashSet<MemorySubscription> Subscriptions { get; } = [];
    }
}
