using System.Collections.Concurrent;

namespace Migrating;

/// <summary>What was said in each room. Both chats of the migration have it.</summary>
public sealed class ChatLog
{
    private readonly ConcurrentDictionary<string, ConcurrentQueue<string>> _rooms = new();

    public void Add(string room, string line) => _rooms.GetOrAdd(room, _ => new ConcurrentQueue<string>()).Enqueue(line);

    public async Task<int> AddAllAsync(string room, IAsyncEnumerable<string> lines)
    {
        int count = 0;
        await foreach (var line in lines)
        {
            Add(room, line);
            count++;
        }

        return count;
    }

    public IAsyncEnumerable<string> ReadAsync(string room, CancellationToken cancellationToken) =>
        (_rooms.TryGetValue(room, out var lines) ? [.. lines] : Array.Empty<string>()).ToAsyncEnumerable();
}
