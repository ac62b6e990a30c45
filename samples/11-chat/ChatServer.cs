using Mux;

namespace Chat;

/// <summary>A server of the chat.</summary>
public sealed class ChatServer : IAsyncDisposable
{
    private readonly MuxServer _server;

    private ChatServer(MuxServerOptions options)
    {
        _server = new MuxServer(options);
        _server.AddService<IChat>(new ChatService(_server.Peers, new MuxGroups<string, IChatClient>(), new ChatLog())).Start();
    }

    public string Address => _server.Address.ToString();

    public static ChatServer Start(string address) => new(new MuxServerOptions { Address = address });

    public ValueTask DisposeAsync() => _server.DisposeAsync();
}
