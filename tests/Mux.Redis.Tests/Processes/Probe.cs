using Mux.Backplanes;
using Mux.TestSupport.Transports;

namespace Mux.Redis.Tests.Processes;

/// <summary>A subscriber that keeps its first message.</summary>
internal sealed class Probe : BackplaneSubscriber
{
    private readonly TaskCompletionSource<BackplaneMessage> _first = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Signal Synced { get; } = new("a subscription in force");

    public Task<BackplaneMessage> FirstAsync() => _first.Task.Within("a message");

    public override void OnMessage(BackplaneMessage message) => _first.TrySetResult(message);

    public override void OnSynced(BackplaneSnapshot snapshot) => Synced.Set();
}
