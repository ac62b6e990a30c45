using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>Callers that live on a thread of their own, such as that of a user interface.</summary>
public sealed class SynchronizationContextTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_continues_where_it_began(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("HandlerFailed");
        var desk = new Desk { OnAsk = (question, _) => question.Id < 0 ? throw new InvalidOperationException() : new(new Answer { Id = question.Id }) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        using var thread = new CallerThread();
        await thread.RunAsync(CallAsync).Within("the caller on its own thread");

        async Task CallAsync()
        {
            for (int id = 0; id < 50; id++)
            {
                Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id })).Id);
                thread.AssertCurrent();
                await sut.AskOnPool(new Question(), CancellationToken.None);
                thread.AssertCurrent();
                await Assert.ThrowsAsync<MuxException>(() => sut.AskInline(new Question { Id = -1 }, CancellationToken.None).AsTask());
                thread.AssertCurrent();
            }
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_whose_thread_takes_nothing_any_more_does_not_keep_the_failures_of_others_from_them()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("ClientContinuationFailed");
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var answer = new Signal("the end of the handlers");
        var desk = Desk.AnsweringAfter(answer);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new ClosedContext());
        Await(sut.AskPlainly(new Question()));
        SynchronizationContext.SetSynchronizationContext(before);
        var others = Enumerable.Range(0, 10).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToList();
        await desk.Started.ReachAsync(11);
        Assert.Single(scene.InMemory.Connections).Reset();
        foreach (var other in others) await other.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        await scene.Logs.ReachAsync("ClientContinuationFailed");
        answer.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_whose_thread_takes_nothing_any_more_does_not_keep_the_replies_of_others_from_them(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ClientContinuationFailed");
        var answer = new Signal("the end of the handlers");
        var desk = Desk.AnsweringAfter(answer);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(new ClosedContext());
        Await(sut.AskInline(new Question(), CancellationToken.None));
        Await(sut.AskOnPool(new Question(), CancellationToken.None));
        SynchronizationContext.SetSynchronizationContext(before);
        using var closed = new ClosedScheduler();
        closed.RunHere(() =>
        {
            Await(sut.AskInline(new Question(), CancellationToken.None));
            Await(sut.AskOnPool(new Question(), CancellationToken.None));
        });
        var others = Enumerable.Range(0, 10).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        answer.Set();
        for (int id = 0; id < others.Count; id++) Assert.Equal(id, (await others[id].Within($"the reply to call {id}")).Id);
        Assert.Equal(4, (await scene.Logs.ReachAsync("ClientContinuationFailed", 4)).Count);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    /// <summary>Waits for a call on the context of this thread.</summary>
    private static void Await(ValueTask<Answer> call)
    {
        var awaiter = call.GetAwaiter();
        awaiter.OnCompleted(() => Assert.Fail("The context of the caller takes nothing, so nobody can have run this."));
    }

    private sealed class ClosedContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => throw new InvalidOperationException("This thread has ended.");
    }

    /// <summary>Runs what it is given at once, and takes nothing.</summary>
    private sealed class ClosedScheduler : TaskScheduler, IDisposable
    {
        private Task? _running;

        public void RunHere(Action code)
        {
            _running = new Task(code);
            _running.RunSynchronously(this);
            _running.GetAwaiter().GetResult();
        }

        public void Dispose() => _running?.Dispose();

        protected override void QueueTask(Task task) => throw new InvalidOperationException("This scheduler has ended.");

        protected override bool TryExecuteTaskInline(Task task, bool taskWasPreviouslyQueued) => TryExecuteTask(task);

        protected override IEnumerable<Task> GetScheduledTasks() => [];
    }
}
