using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Ordering;

/// <summary>What comes while a batch runs is the next one, without what is over by then.</summary>
public sealed class BatchQueueTests : IDisposable
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    private readonly Meter _meter = new("test");
    private readonly Signal _end = new("the end of the first batch");
    private readonly Counter _started = new("batches");
    private readonly List<int[]> _batches = [];
    private readonly List<object> _services = [];

    public void Dispose() => _meter.Dispose();

    [Fact]
    public async Task A_call_that_is_cancelled_before_its_batch_is_left_out()
    {
        var sut = Create();
        using var cancellation = new CancellationTokenSource();
        var first = sut.InvokeAsync(this, 0, null, Token).AsTask();
        await _started.ReachAsync(1);
        Task<int>[] calls = [Invoke(1, Token), Invoke(2, cancellation.Token), Invoke(3, Token)];
        await cancellation.CancelAsync();
        _end.Set();

        int[] results = await Task.WhenAll(first, calls[0], calls[2]).Within("the others");
        Assert.Equal([0, 2, 6], results);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => calls[1].Within("the call that is cancelled"));
        Assert.Equal([[0], [1, 3]], _batches);

        Task<int> Invoke(int id, CancellationToken token) => sut.InvokeAsync(this, id, null, token).AsTask();
    }

    [Fact]
    public async Task A_batch_does_not_use_the_service_of_a_call_that_is_left_out()
    {
        var sut = Create();
        var first = sut.InvokeAsync(this, 0, null, Token).AsTask();
        await _started.ReachAsync(1);
        var cancelled = sut.InvokeAsync("disposed with its call", 1, null, new CancellationToken(canceled: true)).AsTask();
        var second = sut.InvokeAsync("its own", 2, null, Token).AsTask();
        _end.Set();

        int[] results = await Task.WhenAll(first, second).Within("the others");
        Assert.Equal([0, 4], results);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the call that is cancelled"));
        Assert.Equal([this, "its own"], _services);
    }

    [Fact]
    public async Task A_batch_of_which_nothing_is_left_does_not_run()
    {
        var sut = Create();
        var first = sut.InvokeAsync(this, 0, null, Token).AsTask();
        await _started.ReachAsync(1);
        var cancelled = sut.InvokeAsync(this, 1, null, new CancellationToken(canceled: true)).AsTask();
        _end.Set();
        await first.Within("the first call");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the call that is cancelled"));

        Assert.Equal(4, await sut.InvokeAsync(this, 2, null, Token).AsTask().Within("a later call"));
        Assert.Equal([[0], [2]], _batches);
    }

    private BatchQueue<int, int> Create()
    {
        var batch = new BatchMethod<int, int>(8, static _ => true, async (service, calls) =>
        {
            lock (_batches)
            {
                _batches.Add([.. calls.Select(static call => call.Request)]);
                _services.Add(service);
            }

            _started.Add();
            if (calls[0].Request == 0) await _end.WaitAsync();
            foreach (var call in calls) call.SetResult(2 * call.Request);
        });
        var descriptor = new MethodDescriptor("test", "Method", MethodShape.Unary, takesToken: true);
        var method = new UnaryMethod<int, int>(descriptor, null!, null!, static (_, _, _, _) => throw new InvalidOperationException());
        var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        return new BatchQueue<int, int>(method, batch, new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, durations, DetailedErrors: false), answersRunNoUserCode: true);
    }
}
