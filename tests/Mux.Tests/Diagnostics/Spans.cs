using System.Collections.Concurrent;
using System.Diagnostics;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Diagnostics;

/// <summary>Listens to the source of Mux for the time of a test, and keeps every span.</summary>
internal sealed class Spans : IDisposable
{
    private readonly ConcurrentQueue<Activity> _started = [];
    private readonly ConcurrentQueue<Activity> _ended = [];
    private readonly ActivityListener _listener;

    public Spans(ActivitySamplingResult sampling = ActivitySamplingResult.AllDataAndRecorded)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Mux",
            Sample = (ref _) => sampling,
            ActivityStarted = _started.Enqueue,
            ActivityStopped = _ended.Enqueue,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public IReadOnlyCollection<Activity> Started => _started;

    public IReadOnlyCollection<Activity> Ended => _ended;

    /// <summary>The spans of one call, once both have ended; fails if there are others.</summary>
    public async Task<(Activity Client, Activity Server)> OfTheOnlyCallAsync()
    {
        await ReachAsync(2);
        Assert.Equal(2, Started.Count);
        return (Of(ActivityKind.Client), Of(ActivityKind.Server));
    }

    /// <summary>Waits until so many have ended.</summary>
    public Task ReachAsync(int count) => Eventually.Holds(() => _ended.Count >= count, () => $"the end of {count} spans; ended have {string.Join(", ", _ended.Select(span => $"{span.Kind} {span.DisplayName}"))}");

    /// <summary>The only span of a kind.</summary>
    public Activity Of(ActivityKind kind) => Assert.Single(_started, span => span.Kind == kind);

    public void Dispose() => _listener.Dispose();
}
