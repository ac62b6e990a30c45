using System.Diagnostics.CodeAnalysis;
using Mux.TestSupport.Time;

namespace Mux.TestSupport.EndToEnd;

/// <summary>
/// Tests of a real <see cref="MuxServer"/> and a real <see cref="MuxChannel"/>. After each of them both sides have to have accounted for every call, and nothing of either may be
/// left: see <see cref="Scene.EndAsync"/> and <see cref="ProcessBaseline"/>.
/// </summary>
/// <remarks>
/// Handles, rented buffers and lost exceptions are the process's. So these tests form one collection, which shares the process with no other test while it runs; everything
/// else (timers, meters, logs, counters) each test has for itself.
/// </remarks>
[Collection(nameof(EndToEndTests))]
public abstract class EndToEndTests : IAsyncLifetime
{
    /// <summary>
    /// Milliseconds a test may take, so that a call that never ends is a failure and no hang. Far above what a loaded machine needs, and above <see cref="Transports.Awaited.Patience"/>,
    /// which says more.
    /// </summary>
    protected const int TestLimit = 90_000;

    private static readonly Lazy<Task> s_warm = new(WarmUpAsync);

    private readonly List<Scene> _scenes = [];
    private ProcessBaseline? _baseline;

    public virtual async ValueTask InitializeAsync()
    {
        await s_warm.Value;
        _baseline = ProcessBaseline.Take();
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var scene in _scenes) await scene.EndAsync();
        if (_baseline is not null) await _baseline.AssertRestoredAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Servers and channels over one kind of transport, ended and examined when the test ends.</summary>
    [SuppressMessage("Reliability", "CA2000", Justification = "Ended with the test.")]
    protected Scene Begin(TransportKind kind, ManualTime? time = null)
    {
        var scene = new Scene(kind, time);
        _scenes.Add(scene);
        return scene;
    }

    /// <summary>What the process opens once and keeps, such as the handles of its socket engine, must be there before anything is counted.</summary>
    private static async Task WarmUpAsync()
    {
        foreach (var kind in EveryTransport.All)
        {
            var scene = new Scene(kind);
            await scene.CreateChannel(scene.StartServer(_ => { })).ConnectAsync();
            await scene.EndAsync();
        }
    }
}
