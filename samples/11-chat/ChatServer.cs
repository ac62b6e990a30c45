using Microsoft.Extensions.Logging;
using Mux;
using Mux.Redis;

namespace Chat;

/// <summary>
/// A server of the chat. With Redis, its rooms are those of all servers that have the same one: members at all servers
/// hear of those that enter, leave and speak. While Redis is away, a server continues with its own members.
/// </summary>
public sealed class ChatServer : IAsyncDisposable
{
    private readonly RedisBackplane? _redis;
    private readonly MuxServer _server;

    private ChatServer(MuxServerOptions options, RedisBackplane? redis)
    {
        _redis = redis;
        _server = new MuxServer(options);
        var rooms = new MuxGroups<string, IChatClient>(new MuxGroupOptions { IsShared = redis is not null, Backplane = redis });
        _server.AddService<IChat>(new ChatService(_server.Peers, rooms, new ChatLog())).Start();
    }

    public string Address => _server.Address.ToString();

    /// <param name="address">Where it listens.</param>
    /// <param name="redis">Host and port of the Redis by which it shares its rooms; null to share nothing.</param>
    /// <param name="loggers">Where it logs that Redis is there, or away; null for nowhere.</param>
    public static ChatServer Start(string address, string? redis = null, ILoggerFactory? loggers = null) =>
        new(new MuxServerOptions { Address = address }, redis is null ? null : new RedisBackplane(new MuxRedisOptions { Configuration = redis }, loggers));

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        if (_redis is not null) await _redis.DisposeAsync(); // last: it sends what was said until now
    }
}
