using System.Collections.Concurrent;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Ordering;

/// <summary>Takes calls in batches, and notes their sizes.</summary>
public sealed class Stock : IStockBatch
{
    private int _running;
    private int _overlaps;

    /// <summary>Answers a batch of Find; by default each call gets twice its number.</summary>
    public Func<MuxCalls<int, int>, ValueTask>? OnFind { get; set; }

    public Counter Batches { get; } = new("batches");

    public ConcurrentQueue<int[]> Found { get; } = new();

    public ConcurrentQueue<StockItem> Stored { get; } = new();

    public int Overlaps => Volatile.Read(ref _overlaps);

    public async ValueTask Find(MuxCalls<int, int> calls)
    {
        if (Interlocked.Increment(ref _running) != 1) Interlocked.Increment(ref _overlaps);
        Found.Enqueue([.. calls.Select(static call => call.Request)]);
        Batches.Add();
        try
        {
            if (OnFind is { } find) await find(calls);
            else AnswerAll(calls);
        }
        finally
        {
            Interlocked.Decrement(ref _running);
        }
    }

    public ValueTask Store(MuxCalls<StockItem, MuxUnit> calls)
    {
        foreach (var call in calls) Stored.Enqueue(call.Request);
        return default;
    }

    public ValueTask Read(MuxCalls<int, MuxResult<StockItem>> calls)
    {
        foreach (var call in calls)
        {
            if (call.Request < 0) call.SetResult(new MuxFailure(MuxStatus.NotFound, call.Options!.Metadata?["why"] ?? "none"));
            else call.SetResult(new StockItem { Id = call.Request });
        }

        return default;
    }

    public ValueTask<int> Count() => new(Stored.Count);

    public static void AnswerAll(MuxCalls<int, int> calls)
    {
        foreach (var call in calls) call.SetResult(2 * call.Request);
    }
}
