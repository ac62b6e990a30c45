using Evidence.Serving;

namespace Evidence.Gateway;

/// <summary>The other process: forwards all calls to one address until its standard input ends.</summary>
internal static class GatewayServer
{
    public static async Task ServeAsync(string target, CommandLine options)
    {
        var transport = EngineChoice.Transport(EngineChoice.Read(options));
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = target, Transport = transport });
        var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = transport }).AddRoute(new MuxRoute("*", channel));
        await using var serverEnd = server;
        server.Start();
        await channel.ConnectAsync();
        Console.WriteLine(server.Address);
        await Console.In.ReadToEndAsync();
    }
}
