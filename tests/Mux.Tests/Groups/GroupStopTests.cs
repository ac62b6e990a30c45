using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>What becomes of calls that wait for members when the server stops.</summary>
public sealed class GroupStopTests : EndToEndTests
{
    private const int Most = 64; // calls that a member allows at once

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_stop_hands_over_what_waits_for_members(TransportKind kind)
    {
        const int Stops = 4, Calls = 3_000; // by each transport
        for (int stop = 0; stop < Stops; stop++)
        {
            var audience = await Audience.GatherAsync(Begin(kind), 1, static options => options.MaxCallsPerConnection = Most);
            var (peer, listener, _) = Assert.Single(audience.Seats);
            using var hears = new ManualResetEventSlim();
            listener.OnNumber = _ => hears.Wait(TestLimit);
            var sut = new MuxGroup<IHeard>();
            Assert.True(sut.Add(peer));
            int reached = 0;
            for (int number = 0; number < Calls; number++)
            {
                int said = number;
                reached += (await sut.SendAsync(all => all.Say(said), cancellationToken: TestContext.Current.CancellationToken)).Reached;
            }

            await StopWhileCallsWaitAsync(audience.Server, () => sut.GetStatistics().Queued, Calls - Most, hears);
            Assert.Equal((Calls, Calls, 0), (reached, sut.GetStatistics().Delivered, sut.GetStatistics().Missed));
            Assert.Equal((0, 0, 0), (sut.GetStatistics().Queued, sut.GetStatistics().QueuedBytes, sut.GetStatistics().Members));
            await listener.Heard.ReachAsync(Calls);
            Assert.Equal(Enumerable.Range(0, Calls), listener.Numbers);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_hands_over_what_waits_for_users()
    {
        const int Calls = 3_000;
        var audience = await Audience.GatherAsync(Begin(TransportKind.Epoll), 1, static options => options.MaxCallsPerConnection = Most);
        var (peer, listener, _) = Assert.Single(audience.Seats);
        using var hears = new ManualResetEventSlim();
        listener.OnNumber = _ => hears.Wait(TestLimit);
        var sut = new MuxPeers<IHeard>(audience.Server.Peers);
        for (int number = 0; number < Calls; number++) await sut.WithId(peer.Id).Say(number);
        await StopWhileCallsWaitAsync(audience.Server, () => sut.GetStatistics().Queued, Calls - Most, hears);
        Assert.Equal((Calls, 0, 0), (sut.GetStatistics().Delivered, sut.GetStatistics().Missed, sut.GetStatistics().Queued));
        await listener.Heard.ReachAsync(Calls);
        Assert.Equal(Enumerable.Range(0, Calls), listener.Numbers);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_waits_no_longer_than_its_time_for_a_member_that_takes_nothing_and_tells_what_it_missed()
    {
        const int Open = 2, Waiting = 10;
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Drained]);
        var audience = await Audience.GatherAsync(scene, 0, configureServer: static options => options.DrainTimeout = TimeSpan.FromSeconds(3));
        using var silent = new RawClient(scene, audience.Server.Address, static (_, _) => { }, new PeerSettings { MaxCalls = Open });
        await Eventually.Holds(() => audience.Server.Peers.Count == 1, "the server to know its client");
        var sut = new MuxGroup<IHeard>(new MuxGroupOptions { Name = "the room" });
        Assert.True(sut.Add(Assert.Single(audience.Server.Peers)));
        for (int number = 0; number < Open + Waiting; number++) await sut.All.Say(number);
        var stop = audience.Server.StopAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => audience.Server.State == MuxServerState.Draining, "the stop");
        time.Advance(TimeSpan.FromSeconds(2.5));
        Assert.Equal((Waiting, 0), (sut.GetStatistics().Queued, sut.GetStatistics().Missed));
        Assert.False(stop.IsCompleted);
        Assert.Equal(0, (await sut.SendAsync(static all => all.Say(1), cancellationToken: TestContext.Current.CancellationToken)).Reached); // it is too late
        Assert.Contains($"waits for {Waiting} calls for which clients have no room yet", (await scene.Logs.ReachAsync("ServerStopWaits"))[0].Text, StringComparison.Ordinal);
        await Eventually.Holds(Passes(time, () => sut.GetStatistics().Missed == Waiting + 1), "the end of DrainTimeout");
        await Eventually.Holds(Passes(time, () => stop.IsCompleted), "the end of the stop");
        await stop;
        Assert.Equal((0, 0, 0), (sut.GetStatistics().Queued, sut.GetStatistics().QueuedBytes, sut.GetStatistics().Members));
        var told = Assert.Single(await scene.Logs.ReachAsync("GroupCallsMissed"));
        Assert.Equal(LogLevel.Warning, told.Level);
        Assert.Contains($"has missed {Waiting} call(s) of the group the room: {Waiting} disconnected. This side drained", told.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("slower", told.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_that_leaves_after_it_was_slow_is_told_as_gone_apart_from_what_did_not_fit()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var audience = await Audience.GatherAsync(scene, 0);
        var silent = new RawClient(scene, audience.Server.Address, static (_, _) => { }, new PeerSettings { MaxCalls = 2 });
        await Eventually.Holds(() => audience.Server.Peers.Count == 1, "the server to know its client");
        var sut = new MuxGroup<IHeard>(new MuxGroupOptions { MaxQueuedBytes = 1_300, WaitTimeout = TimeSpan.FromSeconds(7) });
        Assert.True(sut.Add(Assert.Single(audience.Server.Peers)));
        var calls = Enumerable.Range(0, 14).Select(number => sut.All.Say(number).AsTask()).ToArray();
        time.Advance(TimeSpan.FromSeconds(7.1));
        await Task.WhenAll(calls).Within("the end of the patience");
        await scene.Logs.ReachAsync("GroupCallsMissed");
        silent.Dispose();
        Assert.Contains("10 call(s)", Assert.Single(await scene.Logs.ReachAsync("GroupMemberGone")).Text, StringComparison.Ordinal);
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 0, Missed: 12 }, "the member to leave");
        Assert.All(scene.Logs.Of("GroupCallsMissed"), static told => Assert.DoesNotContain("disconnected", told.Text, StringComparison.Ordinal));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_member_that_leaves_in_order_while_it_is_called_warns_nobody(TransportKind kind)
    {
        const int Members = 6, Before = 50;
        var scene = Begin(kind);
        var audience = await Audience.GatherAsync(scene, Members);
        var sut = new MuxGroup<IHeard>();
        foreach (var peer in audience.Peers) Assert.True(sut.Add(peer));
        bool isOver = false;
        var late = Task.Run(async () =>
        {
            for (int number = 0; !Volatile.Read(ref isOver); number++) await sut.All.Say(number);
        }, Token);
        foreach (var (_, listener, channel) in audience.Seats)
        {
            await listener.Heard.ReachAsync(Before);
            await channel.DisposeAsync().AsTask().Within("the drain of a member");
        }

        await Eventually.Holds(() => sut.Count == 0, "the members to leave");
        Volatile.Write(ref isOver, true);
        await late.Within("the last call");
        Assert.DoesNotContain(scene.Logs.Entries, static entry => entry.Level >= LogLevel.Warning);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_to_which_a_call_cannot_be_handed_for_lack_of_memory_is_cut_off_and_keeps_nothing()
    {
        const int Waiting = 10;
        var time = new ScarceTime();
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.UnionWith([CloseReason.Internal, CloseReason.ConnectionLost]);
        var audience = await Audience.GatherAsync(
            scene, 1, static options => options.MaxCallsPerConnection = 1, options => options.TimeProvider = time);
        var (peer, listener, _) = Assert.Single(audience.Seats);
        using var hears = new ManualResetEventSlim();
        listener.OnNumber = _ => hears.Wait(TestLimit);
        var sut = new MuxGroup<IHeard>();
        Assert.True(sut.Add(peer));
        var soon = new MuxCallOptions { Timeout = TimeSpan.FromHours(1) };
        await sut.All.Say(0);
        for (int number = 0; number < Waiting; number++) await sut.All.Tell("waits", soon);
        var alone = peer.Get<IHeard>().Ask(1, Token).AsTask();
        time.IsScarce = true;
        hears.Set();
        await Eventually.Holds(
            () => sut.GetStatistics() is { Members: 0, Queued: 0, QueuedBytes: 0, Missed: Waiting },
            () => $"the member to leave: {sut.GetStatistics()}");
        var failed = await Assert.ThrowsAsync<MuxException>(() => alone.Within("the failure"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (failed.Status, failed.Execution));
        var told = (await scene.Logs.ReachAsync("ServerConnectionClosed"))[0].Text;
        Assert.Contains("A call could not be handed to the connection", told, StringComparison.Ordinal);
        await audience.Server.StopAsync(Token).Within("the stop, for which the member keeps nothing");
    }

    [Fact]
    public void The_result_of_a_send_prints_the_members_that_missed_it()
    {
        using var peer = new FakePeer(1);
        Assert.Equal("MuxGroupDelivery { Reached = 2, Missed = [], MissedByOtherServers = True }", new MuxGroupDelivery(2, [], true).ToString());
        Assert.Equal($"MuxGroupDelivery {{ Reached = 0, Missed = [{peer}: QueueFull, {peer}: Dropped], MissedByOtherServers = False }}",
            new MuxGroupDelivery(0, [new(peer, MuxMissReason.QueueFull), new(peer, MuxMissReason.Dropped)]).ToString());
        Assert.Contains(" and 2 more]", new MuxGroupDelivery(0, [.. Enumerable.Repeat(new MuxMissedMember(peer, MuxMissReason.Expired), 12)]).ToString(),
            StringComparison.Ordinal);
    }

    /// <summary>Looks at a condition, and lets time pass until it holds.</summary>
    private static Func<bool> Passes(ManualTime time, Func<bool> condition) => () =>
    {
        if (condition()) return true;
        time.Advance(TimeSpan.FromMilliseconds(100));
        return false;
    };

    /// <summary>Stops a server, and lets its member go on when the stop has begun and so many calls wait.</summary>
    private static async Task StopWhileCallsWaitAsync(MuxServer server, Func<long> queued, int waiting, ManualResetEventSlim hears)
    {
        var stopped = server.StopAsync(Token);
        await Eventually.Holds(() => server.State == MuxServerState.Draining, "the begin of the stop");
        Assert.Equal(waiting, queued());
        hears.Set();
        await stopped.Within("the stop");
    }

    /// <summary>Time whose next look throws as for lack of memory, if it comes from the hand-over of a queue.</summary>
    private sealed class ScarceTime : TimeProvider
    {
        private int _isScarce;

        public bool IsScarce
        {
            set => Volatile.Write(ref _isScarce, value ? 1 : 0);
        }

        public override long GetTimestamp()
        {
            if (Volatile.Read(ref _isScarce) == 0) return base.GetTimestamp();
            bool isHandedOver = Environment.StackTrace.Contains("GroupEntry.Start", StringComparison.Ordinal);
            if (isHandedOver && Interlocked.Exchange(ref _isScarce, 0) == 1) throw new OutOfMemoryException("No memory.");
            return base.GetTimestamp();
        }
    }
}
