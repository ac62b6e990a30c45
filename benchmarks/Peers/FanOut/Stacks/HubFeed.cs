using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection;
using SideBySide.Stacks;

namespace FanOut.Stacks;

/// <summary>A hub of SignalR over WebSockets, with its defaults but for the PINGs, which the receivers neither send nor want.</summary>
internal sealed class HubFeed : Feed
{
    public const string Path = "/feed";

    private const string Method = "Item";

    private readonly WebApplication _app;
    private readonly IHubContext<FeedHub> _hub;

    private HubFeed(RunningServer server, string protocol)
    {
        (Port, _app) = (server.Port, (WebApplication)server.Server);
        _hub = _app.Services.GetRequiredService<IHubContext<FeedHub>>();
        var format = _app.Services.GetServices<IHubProtocol>().Single(one => one.Name == protocol);
        CountedLength = format.GetMessageBytes(new InvocationMessage(Method, [new byte[ItemLength]])).Length;
    }

    public override int Port { get; }

    public override int CountedLength { get; }

    public override int Subscribers => FeedHub.Connections;

    public static async Task<Feed> StartAsync(bool isMessagePack)
    {
        var server = await WebServer.StartAsync(
            HttpProtocols.Http1,
            services =>
            {
                var signalR = services.AddSignalR(static hubs => hubs.KeepAliveInterval = hubs.ClientTimeoutInterval = TimeSpan.FromHours(1));
                if (isMessagePack) signalR.AddMessagePackProtocol();
            },
            static app => app.MapHub<FeedHub>(Path, static options => options.Transports = HttpTransportType.WebSockets));
        return new HubFeed(server, isMessagePack ? "messagepack" : "json");
    }

    /// <inheritdoc/>
    /// <remarks>A hub waits for its slowest connection as soon as that has more unsent than its buffer holds.</remarks>
    public override async Task<long> PublishAsync(TimeSpan time)
    {
        long published = 0;
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < time; published++) await _hub.Clients.All.SendAsync(Method, new byte[ItemLength]);
        return published;
    }

    public override ValueTask DisposeAsync() => _app.DisposeAsync();
}
