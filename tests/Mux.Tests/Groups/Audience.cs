using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>A server and clients that it calls, each with what it hears.</summary>
internal sealed class Audience
{
    /// <summary>Calls that a client allows at once, if a test does not say otherwise: more than it makes.</summary>
    public const int Plenty = 10_000;

    private readonly Scene _scene;

    private Audience(Scene scene, MuxServer server) => (_scene, Server) = (scene, server);

    public MuxServer Server { get; }

    public Bouncer AtServer { get; private init; } = new();

    public List<(MuxPeer Peer, Listener Listener, MuxChannel Channel)> Seats { get; } = [];

    public IEnumerable<MuxPeer> Peers => Seats.Select(seat => seat.Peer);

    public static async Task<Audience> GatherAsync(Scene scene, int clients, Action<MuxChannelOptions>? configure = null, Action<MuxServerOptions>? configureServer = null)
    {
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost); // a client that leaves closes before it has read the calls on their way to it
        var bouncer = new Bouncer();
        var server = scene.StartServer(server => server.AddService<IBounce>(bouncer), options =>
        {
            (options.Limits.MaxPendingHandshakes, options.Limits.MaxPendingHandshakesPerAddress) = (2_000, 2_000);
            configureServer?.Invoke(options);
        });
        var audience = new Audience(scene, server) { AtServer = bouncer };
        for (int i = 0; i < clients; i++) await audience.SeatAsync(configure);
        return audience;
    }

    /// <summary>One more client, known to the server.</summary>
    public async Task<(MuxPeer Peer, Listener Listener, MuxChannel Channel)> SeatAsync(Action<MuxChannelOptions>? configure = null)
    {
        var listener = new Listener();
        var channel = _scene.CreateChannel(Server, options =>
        {
            options.MaxCallsPerConnection = Plenty;
            options.AddService<IHeard>(listener);
            configure?.Invoke(options);
        });
        await channel.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
        var seat = (AtServer.LastCaller!, listener, channel);
        Seats.Add(seat);
        return seat;
    }
}
