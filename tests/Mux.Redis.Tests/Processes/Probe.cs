using System.Collections.Concurrent;
using Mux.Backplanes;
using Mux.TestSupport.Transports;

namespace Mux.Redis.Tests.Processes;

/// <summary>A subscriber that keeps what it is told.</summary>
internal sealed class Probe : BackplaneSubscriber
{
    private readonly ConcurrentQueue<BackplaneMessage> _got = new();
    private readonly ConcurrentQueue<(long Tag, long Number)> _published = new();

    /// <summary>How often it was said to be in force.</summary>
    public Counter Syncs { get; } = new("subscriptions in force");

    public Counter Messages { get; } = new("messages");

    public Counter Numbers { get; } = new("numbers of messages");

    public IReadOnlyList<BackplaneMessage> Got => [.. _got];

    public IReadOnlyList<(long Tag, long Number)> Published => [.. _published];

    public override void OnMessage(BackplaneMessage message)
    {
        _got.Enqueue(message);
        Messages.Add();
    }

    public override void OnPublished(long tag, long number)
    {
        _published.Enqueue((tag, number));
        Numbers.Add();
    }

    public override void OnSynced(BackplaneSnapshot snapshot) => Syncs.Add();
}
