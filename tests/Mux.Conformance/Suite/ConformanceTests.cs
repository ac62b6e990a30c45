using Mux.Conformance.Contract;
using Mux.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Conformance.Suite;

/// <summary>Tests of the suite: see README.md.</summary>
public abstract class ConformanceTests : EndToEndTests
{
    /// <summary>How late a deadline may be noticed.</summary>
    protected static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(20);

    /// <summary>A server whose handlers follow a script, and a channel with so many connections.</summary>
    protected World Open(TransportKind kind, int connections, Script? script = null, Action<MuxServerOptions>? server = null, Action<MuxChannelOptions>? client = null, ManualTime? time = null)
    {
        var scene = Begin(kind, time);
        if (connections > 1) scene.ExpectedEnds.UnionWith([CloseReason.Disposed, CloseReason.ConnectionLost]); // of a connection that is still being made when a short test ends
        var stage = new Stage(script ?? Scripts.Echo);
        var served = StartServer(scene, stage, server);
        return new World(scene, stage, served, scene.CreateChannel(served, options =>
        {
            options.Connections = connections;
            client?.Invoke(options);
        }));
    }

    protected static MuxServer StartServer(Scene scene, Stage stage, Action<MuxServerOptions>? configure = null) =>
        scene.StartServer(server => server.AddService<IStage>(stage).AddService<IProbe>(new Probe()), configure);
}
