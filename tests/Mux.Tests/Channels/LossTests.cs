using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>Calls made where a channel has just lost its connection, or has none yet.</summary>
public sealed class LossTests : EndToEndTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);

    [Fact(Timeout = TestLimit)]
    public async Task A_call_made_again_by_the_thread_that_reports_the_loss_goes_to_the_next_connection()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        scene.ExpectedEnds.Add(CloseReason.Internal);
        var desk = new GatedDesk();
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk)));
        var sut = channel.CreateProxy<IDesk>();
        SynchronizationContext.SetSynchronizationContext(new InlineContext());
        var call = CallTwiceAsync(sut);
        SynchronizationContext.SetSynchronizationContext(null);
        await desk.Started.ReachAsync(1);

        foreach (var connection in channel.Ledger.Connections) connection.Abort(new ConnectionEnd(CloseReason.Internal, "The test ends it."));

        await desk.Started.ReachAsync(2);
        desk.AnswerOldest();
        desk.AnswerOldest();
        Assert.Equal(7, (await call.Within("the reply of the second call")).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_without_a_connection_counts_as_waiting_and_has_its_deadline()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 1;
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = scene.CreateChannel(server, options =>
        {
            options.CallTimeout = s_deadline;
            options.Transport = new PartlyUnansweredTransport(scene.Transport, (_, _) => false);
        });

        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        Assert.Equal(1, channel.GetStatistics().CallsWaiting);
        time.Advance(s_deadline + s_tick);

        await call.Within("the deadline").FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Equal(0, channel.GetStatistics().CallsWaiting);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_transport_that_cannot_make_a_link_fails_the_call_and_not_its_caller()
    {
        await using var sut = MuxChannel.Create(new MuxChannelOptions { Address = "mux://nowhere:1", Transport = new BrokenTransport() });

        var call = sut.CreateProxy<IDesk>().AskPlainly(new Question());

        var error = await Assert.ThrowsAsync<MuxException>(async () => await call);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect), (error.Status, error.Execution, error.Phase));
        Assert.Contains("out of links", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, sut.GetStatistics().CallsCompleted);
    }

    private static async Task<Answer> CallTwiceAsync(IDesk sut)
    {
        try
        {
            return await sut.AskPlainly(new Question { Id = 6 });
        }
        catch (MuxException)
        {
            return await sut.AskPlainly(new Question { Id = 7 });
        }
    }

    /// <summary>Runs what is posted to it at once, on whatever thread posts.</summary>
    private sealed class InlineContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state) => d(state);
    }

    private sealed class BrokenTransport : global::Mux.Transports.ITransport
    {
        public global::Mux.Transports.Link CreateLink(MuxAddress address) => throw new InvalidOperationException("out of links");

        public global::Mux.Transports.ITransportListener Listen(MuxAddress address, Action<global::Mux.Transports.Link> accepted) => throw new NotSupportedException();
    }
}
