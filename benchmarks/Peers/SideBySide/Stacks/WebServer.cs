using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace SideBySide.Stacks;

/// <summary>Kestrel without TLS, as it is by default but for its sockets, with no log but of errors.</summary>
internal static class WebServer
{
    public static async Task<RunningServer> StartAsync(
        HttpProtocols protocols, Action<IServiceCollection> addServices, Action<WebApplication> map, Action<KestrelServerLimits>? setLimits = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.SetMinimumLevel(LogLevel.Error);
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0, endpoint => endpoint.Protocols = protocols);
            setLimits?.Invoke(kestrel.Limits);
        });
        builder.WebHost.UseSockets(sockets => sockets.CreateBoundListenSocket = static endpoint =>
        {
            var socket = SocketTransportOptions.CreateDefaultBoundListenSocket(endpoint);
            Loopback.SetUp(socket);
            return socket;
        });
        addServices(builder.Services);
        var app = builder.Build();
        map(app);
        await app.StartAsync();
        var addresses = app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses;
        return new RunningServer(new Uri(addresses.First()).Port, app);
    }
}
