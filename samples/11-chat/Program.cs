// A chat: rooms are groups, the connections tell which users are there, the server asks its clients, and calls back while it exports a history.
//   dotnet run -c Release -- server [ADDRESS] [--redis HOST:PORT]
//   dotnet run -c Release -- client ADDRESS NAME [ROOM]
// With --redis, what is said, and who enters and leaves, reaches the members of a room at all servers of this Redis (5 or later). /who, /online, /ask, /history
// and the check that a name is free know the users of one server alone. Two servers and a client of each, in a terminal each:
//   redis-server --save ""
//   dotnet run -c Release -- server mux://127.0.0.1:7070 --redis localhost:6379
//   dotnet run -c Release -- server mux://127.0.0.1:7071 --redis localhost:6379
//   dotnet run -c Release -- client mux://127.0.0.1:7070 ann
//   dotnet run -c Release -- client mux://127.0.0.1:7071 bob
using Chat;
using Microsoft.Extensions.Logging;

const string Local = "mux://127.0.0.1:7070";

switch (args)
{
    case ["server"]:
        return await ServeAsync(Local, redis: null);

    case ["server", "--redis", var redis]:
        return await ServeAsync(Local, redis);

    case ["server", var address] when address != "--redis":
        return await ServeAsync(address, redis: null);

    case ["server", var address, "--redis", var redis]:
        return await ServeAsync(address, redis);

    case ["client", var address, var name, .. var rest]:
        await Terminal.RunAsync(address, rest.Length > 0 ? rest[0] : "lobby", name);
        return 0;

    default:
        Console.Error.WriteLine("Expected 'server [ADDRESS] [--redis HOST:PORT]' or 'client ADDRESS NAME [ROOM]'.");
        return 2;
}

static async Task<int> ServeAsync(string address, string? redis)
{
    using var loggers = LoggerFactory.Create(logging => logging.AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace));
    await using var server = ChatServer.Start(address, redis, loggers);
    Console.WriteLine($"{server.Address}; Enter ends it");
    await Console.In.ReadLineAsync();
    return 0;
}
