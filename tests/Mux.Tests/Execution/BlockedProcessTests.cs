using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Execution;

/// <summary>Processes whose handlers block, as many as callers there are: all calls end, and none of the others waits.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class BlockedProcessTests
{
    private const int TestLimit = 120_000;

    [Theory(Timeout = TestLimit)]
    [InlineData(70, 60)]
    [InlineData(150, 40)]
    [InlineData(300, 20)]
    [InlineData(1_000, 10)]
    public async Task Callers_of_a_front_whose_handlers_block_on_another_server_are_all_served(int callers, int calls)
    {
        await using var front = await FrontProcess.StartAsync();
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();

        await AllAsync(callers, async _ =>
        {
            for (int call = 0; call < calls; call++) Assert.Equal(10, (await sut.BlockOnBack(10)).Length);
        });
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(20_000)] // handled in the turn
    [InlineData(200_000)] // handled by a worker
    public async Task Handlers_may_block_on_replies_of_many_frames(int length)
    {
        await using var front = await FrontProcess.StartAsync();
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();

        await AllAsync(100, async _ =>
        {
            for (int call = 0; call < 10; call++) Assert.Equal(length, (await sut.BlockOnBack(length)).Length);
        });
    }

    [Fact(Timeout = TestLimit)]
    public async Task Handlers_may_block_on_calls_to_their_own_server()
    {
        const int Depth = 3;
        await using var front = await FrontProcess.StartAsync();
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();

        await AllAsync(100, async _ =>
        {
            for (int call = 0; call < 10; call++) Assert.Equal(Depth, await sut.Descend(Depth));
        });
    }

    [Fact(Timeout = TestLimit)]
    public async Task Clients_are_answered_beside_a_thousand_handlers_that_sleep()
    {
        const int Sleepers = 1_000;
        await using var front = await FrontProcess.StartAsync();
        await using var channel = MuxChannel.Create(front.Address);
        var sleeping = channel.CreateProxy<IBlocking>();
        var sleepers = Enumerable.Range(0, Sleepers).Select(number => sleeping.Sleep(number).AsTask()).ToList();

        await using var other = MuxChannel.Create(front.Address); // which connects beside them
        var sut = other.CreateProxy<IBlocking>();
        for (int number = 0; number < 50; number++)
        {
            Assert.Equal(number, await sut.Echo(number).AsTask().Within("a reply beside sleeping handlers"));
            Assert.Equal(20_000, (await sut.AwaitBack(20_000).AsTask().Within("an awaited reply beside sleeping handlers")).Length);
            Assert.Equal(200_000, (await sut.AwaitBack(200_000).AsTask().Within("an awaited large reply beside sleeping handlers")).Length);
            Assert.Equal(10, (await sut.BlockOnBack(10).AsTask().Within("a blocking handler beside sleeping ones")).Length);
        }

        Assert.DoesNotContain(sleepers, sleeper => sleeper.IsCompleted);
        await front.WakeAsync();
        Assert.Equal(Enumerable.Range(0, Sleepers), await Task.WhenAll(sleepers).Within("the sleeping handlers"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Loops_never_run_out_of_threads_that_continue_in_the_place_of_those_that_sleep()
    {
        const int Sleepers = 700; // more than there are threads that lead
        await using var front = await FrontProcess.StartAsync();
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();
        var sleepers = Enumerable.Range(0, Sleepers).Select(number => sut.SleepInline(number).AsTask()).ToList();

        for (int number = 0; number < 50; number++) Assert.Equal(number, await sut.Echo(number).AsTask().Within("a reply on the connection of the sleeping handlers"));

        Assert.DoesNotContain(sleepers, sleeper => sleeper.IsCompleted);
        await front.WakeAsync();
        Assert.Equal(Enumerable.Range(0, Sleepers), await Task.WhenAll(sleepers).Within("the sleeping handlers"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Requests_beyond_what_can_run_are_refused_with_a_time_to_retry_and_the_log_names_the_code_that_blocks()
    {
        const int Threads = 8, Refused = 20;
        await using var front = await FrontProcess.StartAsync(Threads);
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();
        int refused = 0;
        var enough = new Signal("refused requests");
        var calls = Enumerable.Range(0, (2 * Threads) + 200).Select(SleepAsync).ToList(); // more than are kept, and some that sleep where they were received

        await enough.WaitAsync();
        Assert.Equal(5, await sut.Echo(5).AsTask().Within("a reply beside refused requests"));
        string[] events = [await front.NextEventAsync(), await front.NextEventAsync()];
        Assert.Contains(events, line => line.StartsWith("WorkRefused: A call of test.Blocking/Sleep was refused", StringComparison.Ordinal));
        Assert.Contains(events, line => line.StartsWith("WorkStalled: ", StringComparison.Ordinal) && line.Contains($"all {Threads} that MuxWorkers.MaxThreads allows) are blocked in test.Blocking/Sleep ({Threads} threads)", StringComparison.Ordinal));
        await front.WakeAsync();
        await Task.WhenAll(calls).Within("the calls that were not refused");

        async Task SleepAsync(int number)
        {
            try
            {
                Assert.Equal(number, await sut.Sleep(number));
            }
            catch (MuxException error)
            {
                Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
                Assert.InRange(error.RetryAfter!.Value, TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(5));
                if (Interlocked.Increment(ref refused) == Refused) enough.Set();
            }
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_deadline_ends_a_call_whose_completion_finds_no_thread()
    {
        const int Threads = 8;
        await using var front = await FrontProcess.StartAsync(Threads);
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();
        var sleepers = Enumerable.Range(0, 100).Select(number => sut.SleepAfterBack(number).AsTask()).ToList(); // keep all threads for the code after calls, and the pool helps with none
        while (await sut.Waiting().AsTask().Within("completions that wait") < 50) { }

        Assert.Equal(MuxStatus.DeadlineExceeded, await sut.BlockOnBackForASecond(200_000).AsTask().Within("the end of the call by its deadline"));

        await front.WakeAsync();
        await Task.WhenAll(sleepers).Within("the sleeping code");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_send_and_receive_in_a_process_whose_thread_pool_is_blocked()
    {
        await using var front = await FrontProcess.StartAsync(maxThreads: 64);
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();

        await AllAsync(40, async _ =>
        {
            for (int call = 0; call < 10; call++) Assert.Equal(300_000, (await sut.BlockOnBack(300_000)).Length); // more than a thread sends before it leaves the rest to another
        });
    }

    [Fact(Timeout = TestLimit)]
    public async Task Streams_move_on_in_a_process_whose_thread_pool_is_blocked()
    {
        const int Count = 100_000; // more than the first credit
        await using var front = await FrontProcess.StartAsync(maxThreads: 64);
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();

        await AllAsync(10, async _ => Assert.Equal(Count * (Count + 1L) / 2, await sut.BlockOnStream(Count)));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Tokens_of_handlers_are_cancelled_in_a_process_whose_thread_pool_is_blocked()
    {
        await using var front = await FrontProcess.StartAsync(maxThreads: 64);
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();
        using var cancel = new CancellationTokenSource();

        var call = sut.WaitForCancel(cancel.Token).AsTask();
        Assert.Equal(0, await sut.Cancelled()); // by then the other is under way
        await cancel.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the end of the call"));
        while (await sut.Cancelled().AsTask().Within("a reply") < 1) { }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_finds_its_server_again_in_a_process_whose_thread_pool_is_blocked()
    {
        await using var front = await FrontProcess.StartAsync(maxThreads: 64);
        await using var channel = MuxChannel.Create(front.Address);
        var sut = channel.CreateProxy<IBlocking>();
        Assert.Equal(10, (await sut.BlockOnBack(10)).Length);

        await front.StopBackAsync();
        for (int call = 0; call < 3; call++) await Assert.ThrowsAsync<MuxException>(() => sut.AwaitBack(10).AsTask().Within("the failure of a call to a server that is away")); // each by a dial, the first perhaps by the loss

        await front.StartBackAsync();
        Assert.Equal(10, (await sut.AwaitBack(10).AsTask().Within("the reply of the server that is back")).Length);
        Assert.Equal(10, (await sut.BlockOnBack(10).AsTask().Within("the reply to a handler that blocks")).Length);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_starts_when_the_thread_pool_is_full_accepts_and_answers_and_so_do_clients_beside_it()
    {
        await using var late = new LineProcess("late");
        await using var channel = MuxChannel.Create((await late.NextLineAsync("the address of a process"))!);
        var sut = channel.CreateProxy<IDesk>();

        Assert.Equal(5, (await sut.AskPlainly(new Question { Id = 5 }).AsTask().Within("a reply of a server whose thread pool is full")).Id);
        for (int call = 1; call <= 20; call++)
        {
            // Each dials: a race with the loop decides where a dial continues.
            await late.WriteLineAsync("call");
            Assert.Equal($"{call}", await late.NextLineAsync("the reply of a process to itself"));
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Tasks_that_block_all_threads_of_the_pool_are_answered_over_an_in_memory_network()
    {
        await using var process = new LineProcess("full-pool");

        Assert.Equal("100", await process.NextLineAsync("the calls of the tasks")); // none if the network is silent: the calls then fail, and the process ends
    }

    private static Task AllAsync(int callers, Func<int, Task> callAsync) => Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(() => callAsync(caller)))).Within("the calls of all callers");
}
