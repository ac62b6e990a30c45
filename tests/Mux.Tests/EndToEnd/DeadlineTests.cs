using System.Diagnostics;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>The deadline of a channel's calls: never early, wherever the call is, and known to the handler.</summary>
public sealed class DeadlineTests : EndToEndTests
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20); // how late a deadline may be noticed

    private readonly ManualTime _time = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task An_open_call_ends_at_its_deadline_and_its_handler_is_told(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var told = new Signal("the token of the handler");
        var desk = new Desk
        {
            OnAsk = async (_, token) =>
            {
                using var registration = token.Register(told.Set);
                await told.WaitAsync();
                token.ThrowIfCancellationRequested();
                return new Answer();
            },
        };
        var sut = Start(scene, desk);
        var call = sut.Ask(new Question(), TestContext.Current.CancellationToken);
        await desk.Started.ReachAsync(1);
        _time.Advance(s_deadline - s_moment);
        Assert.False(call.IsCompleted);
        Assert.False(told.IsSet);

        _time.Advance(s_tick);
        var error = await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.Contains("test.Desk/Ask", error.Message, StringComparison.Ordinal);
        await told.WaitAsync();
        await Eventually.Holds(() => scene.Channels[0].GetStatistics().LateReplies == 1, "the late end of the expired call");
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_waits_for_a_slot_expires_without_being_sent(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the first call");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = 1);
        var sut = scene.CreateChannel(server, options => (options.CallTimeout, options.MaxConnections) = (s_deadline, 1)).CreateProxy<IDesk>();
        var holding = sut.AskPlainly(new Question { Id = 1 }).AsTask();
        await desk.Started.ReachAsync(1);
        _time.Advance(TimeSpan.FromSeconds(2));
        var waiting = sut.AskPlainly(new Question { Id = 2 }).AsTask();
        _time.Advance(TimeSpan.FromSeconds(3) + s_tick);
        await holding.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.False(waiting.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(2));
        await waiting.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        answer.Set();
        Assert.Equal(1, desk.Started.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_that_waits_for_its_connection_expires(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 1;
        var channel = scene.CreateChannel(scene.NobodysAddress(), options =>
        {
            options.Transport = new UnansweredTransport();
            options.CallTimeout = s_deadline;
        });
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        _time.Advance(s_deadline - s_moment);
        Assert.False(call.IsCompleted);
        _time.Advance(s_tick);
        await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_deadline_is_never_early_by_the_real_clock(TransportKind kind)
    {
        var deadline = TimeSpan.FromMilliseconds(30);
        var scene = Begin(kind);
        var answer = new Signal("the end of the handlers");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = scene.CreateChannel(server, options => options.CallTimeout = deadline);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var sut = channel.CreateProxy<IDesk>();
        for (int i = 0; i < 5; i++)
        {
            long start = Stopwatch.GetTimestamp();
            await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
            Assert.InRange(Stopwatch.GetElapsedTime(start), deadline, Awaited.Patience);
        }

        answer.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_of_a_channel_without_a_deadline_never_get_that_of_another_channel(TransportKind kind)
    {
        const int Calls = 100;
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var desk = new Desk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var hasty = scene.CreateChannel(server, options => options.CallTimeout = s_deadline).CreateProxy<IDesk>();
        var patient = scene.CreateChannel(server).CreateProxy<IDesk>();

        // Call objects are used again, also by another channel.
        await Task.WhenAll(Enumerable.Range(0, Calls).Select(_ => hasty.AskPlainly(new Question()).AsTask()));
        desk.OnAsk = Desk.AnsweringAfter(answer).OnAsk;
        var calls = Enumerable.Range(0, Calls).Select(id => patient.AskPlainly(new Question { Id = id }).AsTask()).ToArray();
        await desk.Started.ReachAsync(2 * Calls);
        _time.Advance(2 * s_deadline);
        answer.Set();
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id]).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_deadline_that_was_met_leaves_the_later_calls_alone(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var sut = Start(scene, new Desk());
        for (int id = 0; id < 50; id++)
        {
            Assert.Equal(id, (await sut.Ask(new Question { Id = id }, TestContext.Current.CancellationToken)).Id);
            _time.Advance(s_deadline / 3);
        }
    }

    private static IDesk Start(Scene scene, Desk desk)
    {
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        return scene.CreateChannel(server, options => options.CallTimeout = s_deadline).CreateProxy<IDesk>();
    }
}
