using System.Diagnostics;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Ordering;

namespace Mux.Tests.Execution;

/// <summary>
/// The monitor takes over every piece of user code that it sees, thousands of times a second, while handlers and continuations throw, block, call back, and lose their
/// connections: no call is lost, answered twice or answered wrongly, and ordered, serial and batched ones run as they must (<see cref="OrderlyLoad"/>). For a second of each transport, which is hundreds of turns; MUX_TEST_EFFORT makes it more.
/// </summary>
public sealed class TortureTests : EndToEndTests
{
    private const int Callers = 24, OrderlyCallers = 4;
    private const int Proof = 100; // turns taken over; on a busy machine they take longer
    private static readonly TimeSpan s_duration = TimeSpan.FromSeconds(Seeds.Effort), s_step = TimeSpan.FromMilliseconds(100), s_limit = 15 * s_duration;

    private readonly OrderlyLoad _orderly = new();
    private int _calls;

    [Theory(Timeout = TestLimit), ClassData(typeof(EverySocketTransport))]
    public async Task Every_call_ends_once_and_rightly_while_all_user_code_is_taken_over(TransportKind kind)
    {
        int seed = Random.Shared.Next();
        TestContext.Current.SendDiagnosticMessage($"seed {seed}");
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        scene.ExpectedErrors.Add("TakeOverRefused");
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var random = new Random(seed);
        var desk = new Desk { OnAsk = (question, _) => Answer(question) };
        var server = scene.StartServer(server => _orderly.AddTo(server.AddService<IDesk>(desk)), options => options.Dispatch = MuxDispatchMode.Inline);
        var seeds = Enumerable.Range(0, Callers).Select(_ => random.Next()).ToArray();
        long takenOver = TurnMonitor.Shared.TakenOver;
        var clock = Stopwatch.StartNew();
        using var end = new CancellationTokenSource();
        TurnMonitor.Torture = true;
        try
        {
            var channel = scene.CreateChannel(server, options => (options.Dispatch, options.MinConnections) = (MuxDispatchMode.Inline, 2));
            var sut = channel.CreateProxy<IDesk>();
            var callers = seeds.Select(one => CallAsync(sut, new Random(one), end.Token)).Append(ComeAndGoAsync(scene, server, new Random(seed), end.Token)).ToList();
            callers.AddRange(CallInOrder(scene, server, channel, random, end.Token));
            await using var timer = new Timer(_ => EndWhenProved(), null, s_duration, s_step);
            await Task.WhenAll(callers).Within($"the end of all callers (seed {seed})");
        }
        finally
        {
            TurnMonitor.Torture = false;
        }

        await _orderly.AssertAsync(scene);
        long count = TurnMonitor.Shared.TakenOver - takenOver;
        TestContext.Current.SendDiagnosticMessage($"{_calls} calls, {count} turns taken over");
        Assert.True(count > Proof, $"Only {count} turns were taken over in {_calls} calls: the test proves nothing.");

        void EndWhenProved()
        {
            if (TurnMonitor.Shared.TakenOver - takenOver > Proof || clock.Elapsed > s_limit) end.Cancel();
        }
    }

    private static ValueTask<Answer> Answer(Question question)
    {
        if (question.Id % 17 == 0) throw new InvalidOperationException("as asked");
        if (question.Id % 13 == 0) Thread.SpinWait(2_000);
        return new(new Answer { Id = question.Id });
    }

    private async Task CallAsync(IDesk sut, Random random, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            int id = random.Next();
            try
            {
                Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id }).ConfigureAwait(false)).Id);
#pragma warning disable VSTHRD002, VSTHRD103, CA1849, MUX0049 // blocking where replies are received is what is tested
                if (id % 29 == 0) Assert.Equal(1, sut.AskPlainly(new Question { Id = 1 }).AsTask().GetAwaiter().GetResult().Id);
#pragma warning restore VSTHRD002, VSTHRD103, CA1849, MUX0049
            }
            catch (MuxException error) when (error.Status == MuxStatus.Unknown)
            {
                Assert.Equal(0, id % 17);
            }

            Interlocked.Increment(ref _calls);
        }
    }

    private IEnumerable<Task> CallInOrder(Scene scene, MuxServer server, MuxChannel channel, Random random, CancellationToken end)
    {
        var (accounts, stock) = (channel.CreateProxy<IAccounts>(), channel.CreateProxy<IStock>());
        for (int caller = 1; caller <= OrderlyCallers; caller++)
        {
            yield return _orderly.BookAsync(accounts, caller, new Random(random.Next()), end);
            yield return _orderly.FindAsync(stock, new Random(random.Next()), end);
            var own = scene.CreateChannel(server, static options => (options.Dispatch, options.MinConnections, options.MaxConnections) = (MuxDispatchMode.Inline, 1, 1));
            yield return _orderly.EditAsync(own.CreateProxy<IEditor>(), caller, new Random(random.Next()), end);
        }
    }

    /// <summary>Connections that end while user code of theirs runs.</summary>
    private async Task ComeAndGoAsync(Scene scene, MuxServer server, Random random, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            await _orderly.LoseAsync(Create());
            var channel = Create();
            var sut = channel.CreateProxy<IDesk>();
            var calls = Enumerable.Range(1, 50).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
            await ((Task)calls[random.Next(calls.Count)]).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await channel.DisposeAsync();
            foreach (var call in calls)
            {
                try
                {
                    Assert.Equal(calls.IndexOf(call) + 1, (await call).Id);
                }
                catch (MuxException error)
                {
                    Assert.Contains(error.Status, new[] { MuxStatus.Unavailable, MuxStatus.Unknown });
                }
            }
        }

        MuxChannel Create() => scene.CreateChannel(server, options => (options.Dispatch, options.DrainTimeout) = (MuxDispatchMode.Inline, TimeSpan.Zero));
    }
}
