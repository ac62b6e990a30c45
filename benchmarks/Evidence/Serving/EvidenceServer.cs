using Seeds.Contracts;
using Seeds.Serving;

namespace Evidence.Serving;

/// <summary>The other process: serves until its standard input ends.</summary>
internal static class EvidenceServer
{
    private const int MaxConnections = 16_000; // two thirds of what a client can have to one address

    /// <summary>What runs in it.</summary>
    public static async Task ServeAsync(CommandLine options)
    {
        var server = new MuxServer(new MuxServerOptions { Address = "mux://0.0.0.0:0", AllowPlaintext = true, MaxConnections = MaxConnections, Transport = EngineChoice.Transport(EngineChoice.Read(options)) });
        await using var serverEnd = server;
        server.AddService<IDirectory>(new DirectoryService());
        server.AddService<IServerMemory>(new ServerMemoryService());
        server.Start();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
    }
}
