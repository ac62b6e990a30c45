using System.Collections.Concurrent;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>What becomes of requests that are answered, fail, or are of an earlier life of the connection.</summary>
public sealed class RequestPumpTests
{
    private const int Life = 5;

    private readonly ConcurrentQueue<(Exception Error, int Life)> _failures = new();
    private readonly ConcurrentQueue<AskedRequest> _answered = new();

    [Fact]
    public Task Requests_are_sent_without_waiting_and_answered_in_their_order() => RunAsync(async queue =>
    {
        var requests = Enumerable.Range(0, 5).Select(_ => new AskedRequest(Life, _answered.Enqueue)).ToList();
        Assert.All(requests, request => Assert.True(queue.TryAdd(request)));
        foreach (var request in requests) await request.Sent.WaitAsync();
        Assert.Equal(5, queue.Messages);
        foreach (var request in Enumerable.Reverse(requests)) request.Answer.SetResult(RedisResult.Create(RedisValue.Null));
        await queue.WhenEmpty().Within("the answers");
        Assert.Equal(requests, _answered);
        Assert.Empty(_failures);
    });

    [Fact]
    public Task Requests_of_an_earlier_life_are_lost_and_not_sent() => RunAsync(async queue =>
    {
        AskedRequest earlier = new(Life - 1), present = new(Life, _answered.Enqueue);
        Assert.True(queue.TryAdd(earlier));
        Assert.True(queue.TryAdd(present));
        await earlier.Lost.WaitAsync();
        await present.Sent.WaitAsync();
        Assert.False(earlier.Sent.IsSet);
        present.Answer.SetResult(RedisResult.Create(RedisValue.Null));
        await queue.WhenEmpty().Within("the answer");
        Assert.Equal([present], _answered);
        Assert.Empty(_failures); // it was told when the life ended
    });

    [Fact]
    public Task A_request_that_fails_is_lost_and_told_with_its_life_and_gives_its_room_back() => RunAsync(async queue =>
    {
        AskedRequest failed = new(Life), next = new(Life, _answered.Enqueue);
        Assert.True(queue.TryAdd(failed));
        Assert.True(queue.TryAdd(next));
        var error = new InvalidOperationException("no");
        failed.Answer.SetException(error);
        await failed.Lost.WaitAsync();
        await Eventually.Holds(() => queue.Messages == 1, "room for another request");
        next.Answer.SetResult(RedisResult.Create(RedisValue.Null));
        await queue.WhenEmpty().Within("the answer of the next request");
        Assert.Equal([(error, Life)], _failures);
        Assert.Equal([next], _answered);
        Assert.False(next.Lost.IsSet);
    });

    [Fact]
    public async Task A_request_that_is_answered_too_late_or_never_leaves_no_unobserved_exception()
    {
        const string Late = "as planned, and late";
        int unobserved = 0;
        EventHandler<UnobservedTaskExceptionEventArgs> count = (_, told) => unobserved += told.Exception.ToString().Contains(Late, StringComparison.Ordinal) ? 1 : 0;
        TaskScheduler.UnobservedTaskException += count;
        try
        {
            await RunAsync(
                async queue =>
                {
                    for (int i = 0; i < 5; i++) // the task of the last one may be alive
                    {
                        var request = new AskedRequest(Life);
                        Assert.True(queue.TryAdd(request));
                        await request.Lost.WaitAsync();
                        request.Answer.SetException(new InvalidOperationException(Late));
                    }
                },
                timeout: TimeSpan.FromMilliseconds(10));
            GC.Collect();
            GC.WaitForPendingFinalizers();
            Assert.Equal(0, unobserved);
        }
        finally
        {
            TaskScheduler.UnobservedTaskException -= count;
        }
    }

    private async Task RunAsync(Func<RequestQueue, Task> test, TimeSpan? timeout = null)
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var connector = new Connector(new MuxRedisOptions { Configuration = redis.Address }, static _ => { });
        await connector.ProbeAsync(TestContext.Current.CancellationToken);
        using var queue = new RequestQueue(mostMessages: 16, mostBytes: 1_000);
        using var sut = new RequestPump(queue, timeout ?? Awaited.Patience, (error, life) => _failures.Enqueue((error, life)), static () => { }, static () => { });
        using var stopping = new CancellationTokenSource();
        var running = sut.RunAsync(connector, () => Life, stopping.Token);
        await test(queue);
        await stopping.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running.Within("the end of the pump"));
    }
}
