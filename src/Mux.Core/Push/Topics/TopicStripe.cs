using System.Diagnostics;

namespace Mux.Push;

/// <summary>Some of the topics that are shared with other servers, with their lock. No code of users runs under it but the comparison of keys.</summary>
internal sealed class TopicStripe<TKey, T>
    where TKey : notnull
{
    private readonly Dictionary<TKey, PublishLine<TKey, T>> _lines = []; // of topics of which something is on its way to the backplane
    private PublishLine<TKey, T>? _spare;
    private long _count;

    /// <summary>Guards all of it.</summary>
    public Lock Gate { get; } = new();

    /// <summary>The topics that have readers here.</summary>
    public Dictionary<TKey, SharedTopic<T>> Topics { get; } = [];

    /// <summary>Number of the last item that was published here.</summary>
    public long CountLocked
    {
        get
        {
            Debug.Assert(Gate.IsHeldByCurrentThread);
            return _count;
        }
    }

    /// <summary>Gets the number of the next item: within a topic they grow.</summary>
    public long NextLocked()
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        return ++_count;
    }

    /// <summary>Gets the line of a topic.</summary>
    /// <param name="owner">The topics.</param>
    /// <param name="key">The topic.</param>
    /// <param name="channel">The backplane's name of it.</param>
    /// <param name="isFirst">True if no line was there: this thread runs it.</param>
    public PublishLine<TKey, T> LineLocked(SharedTopics<TKey, T> owner, TKey key, string channel, out bool isFirst)
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        isFirst = !_lines.TryGetValue(key, out var line);
        if (!isFirst) return line!;
        line = _spare ?? new PublishLine<TKey, T>(owner, this) { Key = key, Channel = channel };
        (_spare, line.Key, line.Channel) = (null, key, channel);
        _lines.Add(key, line);
        return line;
    }

    /// <summary>Nothing is in a line anymore.</summary>
    public void EndLocked(PublishLine<TKey, T> line)
    {
        Debug.Assert(Gate.IsHeldByCurrentThread);
        _lines.Remove(line.Key);
        if (line.IsSmallLocked) _spare = line;
    }
}
