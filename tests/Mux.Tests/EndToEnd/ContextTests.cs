using System.Diagnostics;
using System.Globalization;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.Tests.EndToEnd;

/// <summary>What user code leaves on a thread (async locals, activity, culture, synchronization context) is never seen by the code of another call.</summary>
public sealed class ContextTests : EndToEndTests
{
    private static readonly AsyncLocal<string?> s_local = new();

    private readonly CultureInfo _usual = CultureInfo.CurrentCulture;
    private int _stains;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Handlers_see_nothing_of_handlers_before_them(TransportKind kind)
    {
        const int Calls = 2000;
        var scene = Begin(kind);
        var desk = new Desk { OnAsk = (question, _) => Stain(new Answer { Id = question.Id }) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).SelectMany(id => new[]
        {
            sut.AskInline(new Question { Id = id }, TestContext.Current.CancellationToken).AsTask(),
            sut.AskOnPool(new Question { Id = id }, TestContext.Current.CancellationToken).AsTask(),
        }).ToList();
        await Task.WhenAll(calls).Within("all replies");
        Assert.Equal(2 * Calls, desk.Started.Count);
        Assert.Equal(0, _stains);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Handlers_of_requests_that_were_held_back_see_nothing_of_each_other()
    {
        const int Calls = 40;
        const int ReplySize = 16_000;
        var scene = Begin(TransportKind.InMemory);
        var desk = new Desk { OnAsk = (question, _) => Stain(new Answer { Id = question.Id, Bytes = new byte[ReplySize] }) };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => (options.MaxUnsentBytes, options.Dispatch) = (65_536, MuxDispatchMode.Inline));
        var channel = scene.CreateChannel(server);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var connection = Assert.Single(scene.InMemory.Connections);
        connection.Hold(InMemoryDirection.ToDialer);
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await Eventually.Holds(() => server.GetStatistics().CallsStarted == Calls, "the arrival of all requests");
        Assert.InRange(desk.Started.Count, 1, Calls - 10); // the others are held back: nobody takes their replies
        connection.Release(InMemoryDirection.ToDialer);
        await Task.WhenAll(calls).Within("all replies");
        Assert.Equal(0, _stains);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Continuations_see_nothing_of_continuations_before_them(TransportKind kind)
    {
        const int Calls = 2000;
        var scene = Begin(kind);
        var desk = new GatedDesk();
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        var done = new Counter("continuations");
        for (int id = 0; id < Calls; id++) Continue(sut.AskPlainly(new Question { Id = id }), done);
        await desk.Started.ReachAsync(Calls);
        for (int id = 0; id < Calls; id++) desk.AnswerOldest();
        await done.ReachAsync(Calls);
        Assert.Equal(0, _stains);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Callers_keep_their_own_context_over_a_call(TransportKind kind)
    {
        const int Calls = 500;
        var scene = Begin(kind);
        var desk = new Desk { OnAsk = (question, _) => Stain(new Answer { Id = question.Id }) };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        await Task.WhenAll(Enumerable.Range(0, Calls).Select(CallAsync)).Within("all callers");
        Assert.Equal(0, _stains);

        async Task CallAsync(int id)
        {
            s_local.Value = $"caller {id}";
            using var activity = new Activity($"caller {id}").Start();
            await sut.AskPlainly(new Question { Id = id });
            Assert.Equal($"caller {id}", s_local.Value);
            Assert.Same(activity, Activity.Current);
            s_local.Value = null;
        }
    }

    [Fact]
    public void A_pumping_thread_keeps_its_synchronization_context()
    {
        var transport = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true });
        var server = new MuxServer(new MuxServerOptions { Address = "mux://memory:1", Transport = transport, Dispatch = MuxDispatchMode.Inline });
        server.AddService<IDesk>(new Desk()).Start();
        var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://memory:1", Transport = transport });
        var own = new SynchronizationContext();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(own);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question());
        transport.Pump();
        var after = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(before);
        Assert.True(call.IsCompletedSuccessfully);
        Assert.Same(own, after);
        var disposal = Task.WhenAll(channel.DisposeAsync().AsTask(), server.StopAsync(TestContext.Current.CancellationToken));
        Assert.True(SpinWait.SpinUntil(() => transport.Pump() >= 0 && disposal.IsCompleted, Awaited.Patience), "Waited for the end of channel and server.");
    }

    /// <summary>Continues without the context of the caller, as the machinery of old libraries does.</summary>
    private void Continue(ValueTask<Answer> call, Counter done)
    {
        var awaiter = call.ConfigureAwait(false).GetAwaiter();
        awaiter.UnsafeOnCompleted(() =>
        {
            _ = awaiter.GetResult();
            Stain();
            done.Add();
        });
    }

    private ValueTask<Answer> Stain(Answer answer)
    {
        Stain();
        return new(answer);
    }

    /// <summary>Notes what another call has left here, and leaves everything that can be left.</summary>
    private void Stain()
    {
        bool stained = s_local.Value is not null || Activity.Current is not null || SynchronizationContext.Current is not null || !Equals(CultureInfo.CurrentCulture, _usual);
        if (stained) Interlocked.Increment(ref _stains);
        s_local.Value = "left by another call";
        Activity.Current = new Activity("left by another call").Start();
        CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo("tlh");
        SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
    }
}
