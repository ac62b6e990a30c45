using System.Collections.Concurrent;

namespace Chat;

/// <summary>The last lines of each room that were said at this server, in memory.</summary>
public sealed class ChatLog
{
    /// <summary>Most lines that it has of a room.</summary>
    public const int Kept = 100;

    private readonly ConcurrentDictionary<string, Queue<Line>> _rooms = new();

    public void Add(string room, Line line)
    {
        var lines = _rooms.GetOrAdd(room, _ => new Queue<Line>());
        lock (lines)
        {
            lines.Enqueue(line);
            if (lines.Count > Kept) lines.Dequeue();
        }
    }

    public Line[] Last(string room, int count)
    {
        if (!_rooms.TryGetValue(room, out var lines)) return [];
        lock (lines) return [.. lines.TakeLast(count)];
    }
}
