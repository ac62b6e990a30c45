using Mux.Conformance.Contract;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Conformance.Suite;

/// <summary>Tests of the suite: see README.md.</summary>
public abstract class ConformanceTests : EndToEndTests
{
    /// <summary>How late a deadline may be noticed.</summary>
    protected static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(20);

    /// <summary>A server whose handlers follow a script, and a channel with so many connections.</summary>
    protected World Open(TransportKind kind, int connections, Script? script = null, Action<MuxServerOptions>? server = null, Action<MuxChannelOptions>? client = null) =>
        Open(Begin(kind), connections, script, server, client);

    /// <summary>The same by a clock that the test moves. Every connection is open: one that were still being made when the clock jumps would be late, and fail.</summary>
    protected async Task<World> OpenAsync(
        TransportKind kind, int connections, ManualTime time, Script? script = null, Action<MuxServerOptions>? server = null, Action<MuxChannelOptions>? client = null)
    {
        var world = Open(Begin(kind, time), connections, script, server, client);
        await world.Channel.ConnectAsync();
        await Eventually.Holds(() => world.Channel.GetStatistics().OpenConnections == connections && world.Server.GetStatistics().OpenConnections == connections, $"{connections} open connections");
        return world;
    }

    protected static MuxServer StartServer(Scene scene, Stage stage, Action<MuxServerOptions>? configure = null) =>
        scene.StartServer(server => server.AddService<IStage>(stage).AddService<IProbe>(new Probe()), configure);

    private static World Open(Scene scene, int connections, Script? script, Action<MuxServerOptions>? server, Action<MuxChannelOptions>? client)
    {
        if (connections > 1) scene.ExpectedEnds.UnionWith([CloseReason.Disposed, CloseReason.ConnectionLost]); // of a connection that is still being made when a short test ends
        var stage = new Stage(script ?? Scripts.Echo);
        var served = StartServer(scene, stage, server);
        return new World(scene, stage, served, scene.CreateChannel(served, options =>
        {
            options.MinConnections = connections;
            client?.Invoke(options);
        }));
    }
}
