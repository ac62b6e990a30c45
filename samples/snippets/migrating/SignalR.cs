using Mux;

namespace Chat;

[MuxService("chat.Room")]
public interface IRoom
{
    ValueTask SayAsync(string user, string text, CancellationToken cancellationToken = default);
    IAsyncEnumerable<string> ListenAsync(CancellationToken cancellationToken = default); // what the hub pushed with Clients.All
}

public sealed class Room(MuxTopics<string, string> lines) : IRoom
{
    public ValueTask SayAsync(string user, string text, CancellationToken cancellationToken)
    {
        lines.Publish("room", $"{user}: {text}");
        return default;
    }

    public IAsyncEnumerable<string> ListenAsync(CancellationToken cancellationToken) => lines.Subscribe("room");
}
