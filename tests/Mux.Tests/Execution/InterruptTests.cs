using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Execution;

/// <summary>Old libraries interrupt threads on which handlers ran: the interrupt strikes at the next wait of the thread, which may be one of the engine.</summary>
public sealed class InterruptTests : EndToEndTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.Epoll, true)]
    [InlineData(TransportKind.Tcp, true)]
    [InlineData(TransportKind.Epoll, false)]
    public async Task An_answer_waits_for_the_lock_of_its_connection_after_its_handler_has_left_the_thread_interrupted(TransportKind kind, bool isInline)
    {
        var scene = Begin(kind);
        Connection? connection = null;
        Thread? handling = null;
        var isHeld = new ManualResetEventSlim();
        var desk = new Desk
        {
            OnAsk = (question, _) =>
            {
                if (question.Id == 0) return new(new Answer());
                Volatile.Write(ref handling, Thread.CurrentThread);
                while (!isHeld.IsSet) Thread.SpinWait(10); // does not wait
                Thread.CurrentThread.Interrupt();
                return new(new Answer { Id = question.Id });
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.MaxConnections = 1).CreateProxy<IDesk>();
        await sut.AskInline(new Question(), Token);
        connection = Assert.Single(server.Ledger!.Connections);
        var holder = new Thread(() =>
        {
            SpinWait.SpinUntil(() => Volatile.Read(ref handling) is not null);
            lock (connection.Gate)
            {
                isHeld.Set();
                SpinWait.SpinUntil(() => (handling!.ThreadState & ThreadState.WaitSleepJoin) != 0, TimeSpan.FromSeconds(5));
                SpinWait.SpinUntil(() => (handling!.ThreadState & ThreadState.WaitSleepJoin) == 0, TimeSpan.FromMilliseconds(20)); // the interrupt has struck, if it does
            }
        });
        holder.Start();
        var call = isInline ? sut.AskInline(new Question { Id = 7 }, Token) : sut.AskPlainly(new Question { Id = 7 });
        Assert.Equal(7, (await call.AsTask().Within("the answer")).Id);
        holder.Join();
        await sut.AskInline(new Question(), Token).AsTask().Within("another answer");
        Assert.Equal(1, server.GetStatistics().OpenConnections);
        Assert.Single(scene.Logs.Of("ClientConnectionOpened"));
        isHeld.Dispose();
    }
}
