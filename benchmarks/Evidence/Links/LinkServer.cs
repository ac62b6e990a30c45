using System.Net;
using System.Net.Sockets;
using Evidence.Serving;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Mux.Transports.Streams;
using Seeds.Contracts;
using Seeds.Serving;

namespace Evidence.Links;

/// <summary>The other process: serves over one kind of link until its standard input ends.</summary>
internal static class LinkServer
{
    public static async Task ServeAsync(LinkKind kind)
    {
        Console.WriteLine(await StartAsync(kind));
        await Console.In.ReadToEndAsync();

        Environment.Exit(0); // with it goes all that was started
    }

    /// <returns>Where it listens.</returns>
    private static async Task<string> StartAsync(LinkKind kind)
    {
        switch (kind)
        {
            case LinkKind.Portable:
                var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", Transport = EngineChoice.Transport(EngineChoice.Portable) }).AddService<IDirectory>(new DirectoryService());
                server.Start();
                return server.Address.ToString();
            case LinkKind.Streams:
                var streams = new MuxServer(string.Empty).AddService<IDirectory>(new DirectoryService());
                streams.Start();
                return Accept(stream => streams.ServeAsync(StreamConnection.Over(stream)));
            case LinkKind.BareTls:
                return Accept(BareTls.EchoAsync);
            default:
                return await StartKestrelAsync(kind);
        }
    }

    private static string Accept(Func<NetworkStream, Task> serve)
    {
        var listener = LinkSockets.Listen();
        listener.Listen();
        _ = AcceptAllAsync();
        return $"mux://127.0.0.1:{((IPEndPoint)listener.LocalEndPoint!).Port}";

        async Task AcceptAllAsync()
        {
            while (true)
            {
                var socket = await listener.AcceptAsync();
                socket.NoDelay = true;
                _ = serve(new NetworkStream(socket, ownsSocket: true));
            }
        }
    }

    private static async Task<string> StartKestrelAsync(LinkKind kind)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddMuxServer(string.Empty).AddService<IDirectory, DirectoryService>();
        builder.WebHost.UseSockets(sockets => sockets.CreateBoundListenSocket = LinkSockets.Listen);
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, 0, endpoint =>
        {
            if (kind == LinkKind.Kestrel) endpoint.UseMux();
        }));
        var application = builder.Build();
        if (kind == LinkKind.WebSocket) application.MapMuxWebSocket(LinkSockets.Path);
        await application.StartAsync();
        return $"mux://127.0.0.1:{new Uri(application.Urls.Single()).Port}";
    }
}
