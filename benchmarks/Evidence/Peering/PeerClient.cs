using Evidence.Serving;
using Seeds.Contracts;
using Seeds.Serving;

namespace Evidence.Peering;

/// <summary>The other process: serves the directory at an address of its own, and over connections that it makes to the server of the table.</summary>
internal static class PeerClient
{
    /// <summary>More than a measurement has open, so that no call is refused.</summary>
    private const int MaxCalls = 4_096;

    /// <param name="address">The server of the table.</param>
    /// <param name="connections">Connections to it.</param>
    public static async Task RunAsync(string address, int connections)
    {
        var transport = EngineChoice.Transport(EngineChoice.All[0]);
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = transport }).AddService<IDirectory>(new DirectoryService());
        server.Start();
        var channels = new List<MuxChannel>();
        for (int i = 0; i < connections; i++)
        {
            var options = new MuxChannelOptions { Address = address, KeepConnected = true, MaxCallsPerConnection = MaxCalls, Transport = transport };
            channels.Add(await MuxChannel.ConnectAsync(options.AddService<IDirectory>(new DirectoryService())));
        }

        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
        foreach (var channel in channels) await channel.DisposeAsync();
    }
}
