using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Mux;

namespace Chat;

[MuxService("chat.Room")]
public interface IRoom
{
    ValueTask SayAsync(string user, string text, CancellationToken cancellationToken = default);
    IAsyncEnumerable<string> ListenAsync(CancellationToken cancellationToken = default); // what the hub pushed with Clients.All
}

public sealed class Room : IRoom
{
    private readonly Lock _gate = new();
    private readonly HashSet<Channel<string>> _listeners = [];

    public ValueTask SayAsync(string user, string text, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            foreach (var listener in _listeners) listener.Writer.TryWrite($"{user}: {text}");
        }

        return default;
    }

    public async IAsyncEnumerable<string> ListenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var mine = Channel.CreateBounded<string>(new BoundedChannelOptions(100) { FullMode = BoundedChannelFullMode.DropOldest });
        lock (_gate) _listeners.Add(mine);
        try
        {
            await foreach (var line in mine.Reader.ReadAllAsync(cancellationToken)) yield return line;
        }
        finally
        {
            lock (_gate) _listeners.Remove(mine);
        }
    }
}
