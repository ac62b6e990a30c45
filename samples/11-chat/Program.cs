// A chat: rooms are groups, who is there is known from the connections, and the server asks its clients.
//   dotnet run -c Release -- server [ADDRESS]
//   dotnet run -c Release -- client ADDRESS NAME [ROOM]
using Chat;

switch (args)
{
    case ["server", .. var rest]:
        await using (var server = ChatServer.Start(rest.Length > 0 ? rest[0] : "mux://127.0.0.1:7070"))
        {
            Console.WriteLine($"{server.Address}; Enter ends it");
            await Console.In.ReadLineAsync();
        }

        return 0;

    case ["client", var address, var name, .. var rest]:
        await Terminal.RunAsync(address, rest.Length > 0 ? rest[0] : "lobby", name);
        return 0;

    default:
        Console.Error.WriteLine("Expected 'server [ADDRESS]' or 'client ADDRESS NAME [ROOM]'.");
        return 2;
}
