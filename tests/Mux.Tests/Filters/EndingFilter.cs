using System.Collections.Concurrent;
using Mux.Filters;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Filters;

/// <summary>Keeps how calls ended.</summary>
internal sealed class EndingFilter : MuxFilter
{
    private readonly ConcurrentQueue<Ending> _endings = [];
    private int _begun;

    public IReadOnlyList<Ending> Endings => [.. _endings];

    /// <summary>Calls that have reached the filter.</summary>
    public int Begun => Volatile.Read(ref _begun);

    public override async ValueTask RunAsync(MuxCall call, MuxNext next)
    {
        Interlocked.Increment(ref _begun);
        Assert.False(call.HasOutcome);
        Assert.Null(call.Status);
        try
        {
            await next.RunAsync(call);
        }
        finally
        {
            Assert.True(call.Elapsed >= TimeSpan.Zero);
            _endings.Enqueue(new(call.Method.FullName, call.Side, call.Status, call.ItemsSent, call.ItemsReceived, call.Exception));
        }
    }

    /// <summary>Waits for the ending of a call after others.</summary>
    public async Task<Ending> ReachAsync(int count)
    {
        await Eventually.Holds(() => _endings.Count >= count, () => $"{count} endings of {_endings.Count}");
        return Endings[count - 1];
    }
}
