using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Tests.Forwarding;

/// <summary>A client, a gateway, and a service behind it.</summary>
public abstract class GatewayTests : EndToEndTests
{
    protected const string Pattern = "shop.*";

    protected static byte[] Bytes(int length, int seed = 1)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Starts a service, a gateway before it, and a client of the gateway.</summary>
    internal (Shop Shop, Scene Scene, MuxServer Service, MuxServer Gateway, IShop Proxy) Start(
        TransportKind kind = TransportKind.InMemory,
        ManualTime? time = null,
        Action<MuxServerOptions>? service = null,
        Action<MuxServerOptions>? gateway = null,
        Action<MuxChannelOptions>? behind = null,
        Action<MuxChannelOptions>? client = null)
    {
        var scene = Begin(kind, time);
        var shop = new Shop();
        var server = scene.StartServer(server => server.AddService<IShop>(shop), service);
        var front = StartGateway(scene, scene.CreateChannel(server, behind), gateway);
        return (shop, scene, server, front, scene.CreateChannel(front, client).CreateProxy<IShop>());
    }

    internal static MuxServer StartGateway(Scene scene, MuxChannel channel, Action<MuxServerOptions>? configure = null) =>
        scene.StartServer(server => server.AddRoute(new MuxRoute(Pattern, channel)), configure);
}
