using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Floods;

/// <summary>More work than a server has threads for: it refuses what matters least, serves the rest, and takes everything again when it has time.</summary>
public sealed class OverloadTests : EndToEndTests
{
    private const int Behind = 6; // calls that find no thread

    public static TheoryData<TransportKind> Kinds => [.. EveryTransport.Kinds.Where(kind => kind is TransportKind.Tcp or TransportKind.Epoll)];

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task An_overloaded_server_refuses_low_priority_serves_high_and_recovers(TransportKind kind)
    {
        var scene = Begin(kind);
        int before = MuxWorkers.MaxThreads;
        var till = new Till();
        try
        {
            int threads = MuxWorkers.MaxThreads = Math.Max(8, ProcessWorkers.Handlers.Threads);
            var server = scene.StartServer(server => server.AddService<ITill>(till), options => options.MaxQueueTime = TimeSpan.FromMilliseconds(5));
            var sut = scene.CreateChannel(server).CreateProxy<ITill>();
            var orders = new List<Task<int>> { sut.Order(0).AsTask() };
            await till.Ordered.ReachAsync(1); // it blocks the thread that received it, and another takes over
            for (int number = 1; number <= threads + Behind; number++) orders.Add(sut.Order(number).AsTask());

            await scene.Logs.ReachAsync("Overloaded");
            var refused = await sut.Browse(1).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

            Assert.Contains("MaxQueueTime", refused.Message, StringComparison.Ordinal);
            Assert.True(refused.RetryAfter >= TimeSpan.FromMilliseconds(20), $"Retry after {refused.RetryAfter}.");
            Assert.Equal(2, await sut.Pay(2).AsTask().Within("a call of high priority"));
            Assert.Equal(0, till.Browsed.Count);
            Assert.DoesNotContain(orders, order => order.IsCompletedSuccessfully);

            till.Open.Set();
            int late = 0; // orders that a server short of processor time has read when it knew already that it is overloaded
            for (int number = 0; number < orders.Count; number++)
            {
                try
                {
                    Assert.Equal(number, await orders[number].Within("the orders"));
                }
                catch (MuxException refusal) when (refusal.Status == MuxStatus.ResourceExhausted)
                {
                    late++;
                }
            }

            Assert.Equal(1 + late, RefusedOf(scene));
            while (scene.Logs.Of("Recovered").Count == 0) await TryAsync(sut.Pay(3)); // an idle server looks at nothing
            Assert.Equal(4, await sut.Browse(4));
        }
        finally
        {
            till.Open.Set();
            MuxWorkers.MaxThreads = before;
        }
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(Kinds))]
    public async Task A_server_that_is_not_overloaded_refuses_no_call(TransportKind kind)
    {
        const int Callers = 200, Calls = 200;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<ITill>(new Till()), options => options.MaxQueueTime = TimeSpan.FromSeconds(10));
        var sut = scene.CreateChannel(server).CreateProxy<ITill>();

        await Task.WhenAll(Enumerable.Range(0, Callers).Select(async caller =>
        {
            for (int call = 0; call < Calls; call++) Assert.Equal(caller, await sut.Browse(caller));
        }));

        Assert.Equal(0, RefusedOf(scene));
        Assert.Empty(scene.Logs.Of("Overloaded"));
    }

    private static long RefusedOf(Scene scene) =>
        scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.refused_calls" && reading.Tag("mux.limit") == "QueueTime").Sum(reading => reading.Value);

    private static async Task TryAsync(ValueTask<int> call)
    {
        try
        {
            await call;
        }
        catch (MuxException refused) when (refused.Status == MuxStatus.ResourceExhausted)
        {
            // While the share grows, a part is refused of high priority too, because no other calls come.
        }
    }

    private sealed class Till : ITill
    {
        public Signal Open { get; } = new("the end of the orders");

        public Counter Ordered { get; } = new("orders that have a thread");

        public Counter Browsed { get; } = new("calls of low priority that ran");

        public ValueTask<int> Browse(int number)
        {
            Browsed.Add();
            return new(number);
        }

        public ValueTask<int> Order(int number)
        {
            Ordered.Add();
            Open.Wait();
            return new(number);
        }

        public ValueTask<int> Pay(int number) => new(number);
    }
}
