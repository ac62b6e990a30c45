using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Ordering;

/// <summary>A handler gets the calls together that came while its last batch ran. Each has its own outcome.</summary>
public sealed class BatchedCallTests : EndToEndTests
{
    private const int Most = 16;

    private readonly Stock _stock = new();

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task What_comes_while_a_batch_runs_is_the_next_one(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        var (first, end) = await BlockAsync(sut);
        var calls = Enumerable.Range(1, (3 * Most) + 1).Select(id => sut.Find(id, Token).AsTask()).ToArray();
        await Task.WhenAll(sut.Count().AsTask()).Within("a call that came after them"); // on the same connection
        end.Set();

        await Task.WhenAll([first, .. calls]).Within("all calls");

        for (int i = 0; i < calls.Length; i++) Assert.Equal(2 * (i + 1), await calls[i]);
        Assert.Equal([1, Most, Most, Most, 1], _stock.Found.Select(static ids => ids.Length));
        Assert.Equal(Enumerable.Range(0, calls.Length + 1), _stock.Found.SelectMany(static ids => ids));
        Assert.Equal(0, _stock.Overlaps);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Each_call_of_a_batch_has_its_own_outcome(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = Start(scene);
        var (first, end) = await BlockAsync(sut);
        _stock.OnFind = static calls =>
        {
            foreach (var call in calls)
            {
                switch (call.Request % 4)
                {
                    case 0:
                        call.SetResult(call.Request);
                        break;
                    case 1:
                        call.Fail(MuxStatus.NotFound, $"There is no {call.Request}.");
                        break;
                    case 2:
                        call.Fail(new InvalidOperationException());
                        break;
                }
            }

            return default;
        };
        var calls = Enumerable.Range(0, 40).Select(id => sut.Find(id, Token).AsTask()).ToArray();
        end.Set();

        await first.Within("the first call");
        for (int id = 0; id < calls.Length; id++)
        {
            if (id % 4 == 0)
            {
                Assert.Equal(id, await calls[id].Within("a result"));
                continue;
            }

            var error = await Assert.ThrowsAsync<MuxException>(() => calls[id].Within("a failure"));
            Assert.Equal((id % 4 == 1 ? MuxStatus.NotFound : MuxStatus.Unknown, MuxExecution.Executed), (error.Status, error.Execution));
            if (id % 4 == 3) Assert.Contains("The handler of the batch ended without an answer for this call.", error.Message, StringComparison.Ordinal);
            if (id % 4 == 1) Assert.Contains($"There is no {id}.", error.Message, StringComparison.Ordinal);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_that_throws_fails_the_calls_that_it_has_not_answered(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        var (first, end) = await BlockAsync(sut);
        _stock.OnFind = static async calls =>
        {
            calls[0].SetResult(7);
            await Task.Yield();
            if (calls.Count > 1) throw new MuxException(MuxStatus.Aborted, "It is closed.");
        };
        var calls = Enumerable.Range(1, 5).Select(id => sut.Find(id, Token).AsTask()).ToArray();
        await sut.Count().AsTask().Within("a call that came after them");
        end.Set();

        await first.Within("the first call");
        Assert.Equal(7, await calls[0].Within("the call that was answered"));
        foreach (var call in calls[1..]) await call.FailsAsync(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Equal(2, _stock.Batches.Count);
        _stock.OnFind = null;
        Assert.Equal(4, await sut.Find(2, Token).AsTask().Within("a call after the failure"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_is_cancelled_before_its_batch_stops_no_other(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        var (first, end) = await BlockAsync(sut);
        using var cancellation = new CancellationTokenSource();
        Task<int>[] calls = [sut.Find(1, Token).AsTask(), sut.Find(2, cancellation.Token).AsTask(), sut.Find(3, Token).AsTask()];
        await sut.Count().AsTask().Within("a call that came after them");
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => calls[1].Within("the call that is cancelled"));
        end.Set();

        await Task.WhenAll(first, calls[0], calls[2]).Within("the others");
        Assert.Equal([0, 1, 3], _stock.Found.SelectMany(static ids => ids).Where(static id => id != 2)); // its token is cancelled on a thread of its own
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_is_cancelled_in_its_batch_tells_its_token_alone(TransportKind kind)
    {
        var sut = Start(Begin(kind));
        var (first, end) = await BlockAsync(sut);
        var told = new Signal("the token of the call");
        _stock.OnFind = async calls =>
        {
            var cancelled = calls.Single(static call => call.Request == 2);
            using (cancelled.CancellationToken.UnsafeRegister(static told => ((Signal)told!).Set(), told)) await told.WaitAsync();
            Assert.DoesNotContain(calls, call => call != cancelled && call.CancellationToken.IsCancellationRequested);
            Stock.AnswerAll(calls);
        };
        using var cancellation = new CancellationTokenSource();
        Task<int>[] calls = [sut.Find(1, Token).AsTask(), sut.Find(2, cancellation.Token).AsTask(), sut.Find(3, Token).AsTask()];
        await sut.Count().AsTask().Within("a call that came after them");
        end.Set();
        await _stock.Batches.ReachAsync(2);
        await cancellation.CancelAsync();

        await Task.WhenAll(first, calls[0], calls[2]).Within("the others");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => calls[1].Within("the call that is cancelled"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Random_calls_of_several_clients_get_their_own_results(TransportKind kind)
    {
        const int Clients = 3, CallsEach = 400;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IStock>(_stock));
        var random = new Random(TestSeed.Next());
        _stock.OnFind = async calls =>
        {
            if (calls.Count % 3 == 0) await Task.Yield();
            Stock.AnswerAll(calls);
        };
        var proxies = Enumerable.Range(0, Clients).Select(_ => scene.CreateChannel(server).CreateProxy<IStock>()).ToArray();
        var callers = proxies.SelectMany(proxy => Enumerable.Range(0, 4).Select(_ => random.Next()).Select(seed => Task.Run(async () =>
        {
            var own = new Random(seed);
            for (int made = 0; made < CallsEach;)
            {
                int together = Math.Min(own.Next(1, 40), CallsEach - made);
                var ids = Enumerable.Range(0, together).Select(_ => own.Next(1_000_000)).ToArray();
                var calls = ids.Select(id => proxy.Find(id, Token).AsTask()).ToArray();
                for (int i = 0; i < together; i++) Assert.Equal(2 * ids[i], await calls[i]);
                made += together;
            }
        }))).ToArray();

        foreach (var caller in callers) await caller.Within("a caller");
        Assert.All(_stock.Found, static ids => Assert.InRange(ids.Length, 1, Most));
        Assert.Equal(Clients * 4 * CallsEach, _stock.Found.Sum(static ids => ids.Length));
        Assert.Equal(0, _stock.Overlaps);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_stops_runs_the_batches_that_are_open(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IStock>(_stock));
        var sut = scene.CreateChannel(server).CreateProxy<IStock>();
        var (first, end) = await BlockAsync(sut);
        var calls = Enumerable.Range(1, 20).Select(id => sut.Find(id, Token).AsTask()).ToArray();
        await sut.Count().AsTask().Within("a call that came after them");

        var stopping = server.DisposeAsync().AsTask();
        end.Set();

        await Task.WhenAll([first, .. calls]).Within("all calls");
        await stopping.Within("the stop");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Methods_of_every_form_are_batched(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = Start(scene);
        await Task.WhenAll(Enumerable.Range(0, 100).Select(id => sut.Store(new StockItem { Id = id, Body = new byte[id * 1_000] }))).Within("calls without results");
        Assert.Equal(Enumerable.Range(0, 100), _stock.Stored.Select(static item => item.Id).Order());
        Assert.Equal(5, (await sut.Read(5).AsTask().Within("a result")).Value.Id);
        var failure = (await sut.Read(-1, new MuxCallOptions { Metadata = new() { ["why"] = "It is gone." } }).AsTask().Within("a failure")).Failure!;
        Assert.Equal(MuxStatus.NotFound, failure.Status);
        Assert.Contains("It is gone.", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_a_connection_a_call_is_a_batch_of_one()
    {
        IStock sut = _stock;
        Assert.Equal(42, await sut.Find(21, Token));
        await sut.Store(new StockItem());
        _stock.OnFind = static calls => default;
        await Assert.ThrowsAsync<InvalidOperationException>(() => sut.Find(1, Token).AsTask());
    }

    [Fact]
    public async Task A_call_is_answered_once_and_while_its_handler_runs()
    {
        MuxBatchedCall<int, int>? kept = null;
        _stock.OnFind = calls =>
        {
            kept = calls[0];
            kept.SetResult(1);
            Assert.True(kept.IsAnswered);
            Assert.Throws<InvalidOperationException>(() => kept.Fail(MuxStatus.Aborted, "again"));
            return default;
        };
        Assert.Equal(1, await ((IStock)_stock).Find(1, Token));
        _stock.OnFind = calls =>
        {
            kept = calls[0];
            return default;
        };
        await Assert.ThrowsAsync<InvalidOperationException>(() => ((IStock)_stock).Find(1, Token).AsTask());
        Assert.Contains("has ended", Assert.Throws<InvalidOperationException>(() => kept!.SetResult(1)).Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_implementation_of_the_contract_itself_gets_each_call_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(static server => server.AddService<IStock>(new PlainStock()));
        var sut = scene.CreateChannel(server).CreateProxy<IStock>();
        Assert.Equal(Enumerable.Range(1, 20), await Task.WhenAll(Enumerable.Range(0, 20).Select(id => sut.Find(id, Token).AsTask())).Within("calls"));
    }

    private IStock Start(Scene scene) => scene.CreateChannel(scene.StartServer(server => server.AddService<IStock>(_stock))).CreateProxy<IStock>();

    /// <summary>Makes a call whose batch ends when the test says so. Later batches are answered as the handler does by then.</summary>
    private async Task<(Task First, Signal End)> BlockAsync(IStock sut)
    {
        var end = new Signal("the end of the first batch");
        _stock.OnFind = async calls =>
        {
            await end.WaitAsync();
            Stock.AnswerAll(calls);
        };
        var first = sut.Find(0, Token).AsTask();
        await _stock.Batches.ReachAsync(1);
        _stock.OnFind = null;
        return (first, end);
    }

    private sealed class PlainStock : IStock
    {
        public ValueTask<int> Find(int id, CancellationToken cancellationToken) => new(id + 1);

        public Task Store(StockItem item) => Task.CompletedTask;

        public ValueTask<MuxResult<StockItem>> Read(int id, MuxCallOptions? options) => new(new StockItem());

        public ValueTask<int> Count() => new(0);
    }
}
