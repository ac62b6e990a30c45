using Seeds.Contracts;
using Seeds.Load;

namespace Seeds.Serving;

/// <summary>The other process: serves until its standard input ends.</summary>
internal static class SeedServer
{
    public static async Task ServeAsync(bool isMerging)
    {
        ArrayPools.Fill();
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = isMerging ? SeedTransport.Create() : SeedTransport.CreateUnmerged() });
        await using var serverEnd = server;
        server.AddService<IDirectory>(new DirectoryService());
        server.AddService<IUsers>(new UserService());
        server.AddService<IServerState>(new ServerStateService(server));
        server.Start();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
    }
}
