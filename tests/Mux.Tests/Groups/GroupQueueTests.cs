using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>What members get that cannot take each call at once, and what is told of those that are too slow.</summary>
public sealed class GroupQueueTests : EndToEndTests
{
    /// <summary>Calls that a client allows at once by default.</summary>
    private const int ByDefault = 64;

    private const int SmallCall = 128 + 2; // bytes that Say counts with numbers below 128

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_loop_of_calls_arrives_whole_and_in_order_at_members_with_defaults(TransportKind kind)
    {
        const int Members = 10;
        var audience = await Audience.GatherAsync(Begin(kind), Members, options => options.MaxCallsPerConnection = ByDefault);
        int heard = 0;
        foreach (int calls in (int[])[64, 100, 1_000, 15_000])
        {
            var sut = new MuxGroup<IHeard>();
            foreach (var peer in audience.Peers) Assert.True(sut.Add(peer));
            for (int number = 0; number < calls; number++) await sut.All.Say(number);
            foreach (var (_, listener, _) in audience.Seats)
            {
                await listener.Heard.ReachAsync(heard + calls);
                Assert.Equal(Enumerable.Range(0, calls), listener.Numbers.Skip(heard));
            }

            heard += calls;
            await Eventually.Holds(() => sut.GetStatistics() is { Queued: 0, QueuedBytes: 0 }, "the queues to be empty");
            Assert.Equal(((long)calls * Members, 0), (sut.GetStatistics().Delivered, sut.GetStatistics().Missed));
        }
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.InMemory)]
    [InlineData(TransportKind.Epoll)]
    public async Task Without_queues_each_call_of_a_loop_is_delivered_or_told_as_missed(TransportKind kind)
    {
        const int Members = 10;
        foreach (int calls in (int[])[64, 100, 1_000])
        {
            var audience = await Audience.GatherAsync(Begin(kind), Members, options => options.MaxCallsPerConnection = ByDefault);
            var sut = new MuxGroup<IHeard>(new MuxGroupOptions { MaxQueuedBytes = 0 });
            foreach (var peer in audience.Peers) sut.Add(peer);
            for (int number = 0; number < calls; number++) await sut.All.Say(number);
            var (_, delivered, missed, _, _, queued, _) = sut.GetStatistics();
            Assert.Equal(((long)calls * Members, 0), (delivered + missed, queued));
            await Eventually.Holds(() => audience.Seats.Sum(static seat => seat.Listener.Heard.Count) == delivered, "what had room");
            TestContext.Current.TestOutputHelper!.WriteLine($"{kind}: of a loop of {calls} calls {100.0 * delivered / (calls * Members):0} % arrive without queues.");
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_of_many_threads_arrive_whole_and_in_the_order_of_each_thread()
    {
        const int Members = 12, Threads = 4, Calls = 1_000;
        var audience = await Audience.GatherAsync(Begin(TransportKind.Epoll), Members, options => options.MaxCallsPerConnection = 3);
        var rooms = new MuxGroups<int, IHeard>(new MuxGroupOptions { MaxQueuedBytes = 10_000 }); // so that callers wait, too
        var others = new MuxGroup<IHeard>(new MuxGroupOptions { Name = "others", MaxQueuedBytes = 4_000 });
        foreach (var peer in audience.Peers) Assert.True(rooms[0].Add(peer) && rooms[1].Add(peer) && others.Add(peer));
        var groups = new[] { rooms[0].All, rooms[1].All, others.All, rooms[0].All };
        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            for (int i = 0; i < Calls; i++) await groups[thread].Say((thread * Calls) + i);
        }))).Within("the last call");
        foreach (var (_, listener, _) in audience.Seats)
        {
            await listener.Heard.ReachAsync(Threads * Calls);
            Assert.All(listener.Numbers.GroupBy(number => number / Calls), ofThread => Assert.Equal(Enumerable.Range(ofThread.Key * Calls, Calls), ofThread));
        }

        Assert.Equal((0, 0), (rooms.GetStatistics().Missed, others.GetStatistics().Missed));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_waits_for_a_member_with_a_full_queue_and_all_others_have_the_call()
    {
        var (audience, sut, silent, ids, _) = await BeginSilentAsync(new MuxGroupOptions { MaxQueuedBytes = 10 * SmallCall }, most: 2);
        for (int number = 0; number < 12; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        Assert.Equal((10, 10 * SmallCall), (sut.GetStatistics().Queued, sut.GetStatistics().QueuedBytes));
        var waits = sut.All.Say(12).AsTask();
        await audience.Seats[0].Listener.Heard.ReachAsync(13);
        Assert.False(waits.IsCompleted);
        for (int answered = 0; !waits.IsCompleted; answered++)
        {
            await silent.Arrived.ReachAsync(answered + 1);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id);
            await silent.SettleAsync();
            if (answered < 4) Assert.False(waits.IsCompleted); // it falls to its half first
            if (answered == 12) break;
        }

        await waits.Within("room");
        Assert.Equal(0, sut.GetStatistics().Missed);
        silent.Dispose();
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 1, Queued: 0, QueuedBytes: 0 }, "the member to leave");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_that_makes_no_room_in_time_misses_calls_and_no_caller_waits_for_it_again_until_it_has()
    {
        var time = new ManualTime();
        var options = new MuxGroupOptions { MaxQueuedBytes = 10 * SmallCall, WaitTimeout = TimeSpan.FromSeconds(7), Name = "the room" };
        var (audience, sut, silent, ids, scene) = await BeginSilentAsync(options, most: 2, time);
        for (int number = 0; number < 12; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        var waits = sut.All.Say(12).AsTask();
        var cancelled = sut.All.Tell("a caller may give up waiting", new MuxCallOptions()).AsTask();
        time.Advance(TimeSpan.FromSeconds(6.9));
        Assert.False(waits.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(0.2));
        await Task.WhenAll(waits, cancelled).Within("the end of the patience");
        Assert.True(sut.All.Say(13).AsTask().IsCompletedSuccessfully);
        Assert.Equal((3, 10), (sut.GetStatistics().Missed, sut.GetStatistics().Queued));
        time.Advance(TimeSpan.FromSeconds(60));
        var told = await scene.Logs.ReachAsync("GroupCallsMissed", 2);
        Assert.All(told, entry => Assert.Equal(LogLevel.Warning, entry.Level));
        Assert.Contains($"The peer {sut.Single(peer => peer != audience.Seats[0].Peer)} has missed 1 call(s) of the group the room: 1 queue_full.", told[0].Text, StringComparison.Ordinal);
        Assert.Contains("has missed 2 call(s) of the group the room: 2 queue_full.", told[1].Text, StringComparison.Ordinal);
        Assert.Equal(3, scene.Meters.Read().Single(reading => reading.Instrument == "mux.group.missed" && reading.Tag("mux.group.name") == "the room"
            && reading.Tag("mux.group.miss_reason") == "queue_full").Value);

        for (int answered = 0; answered < 12; answered++)
        {
            await silent.Arrived.ReachAsync(answered + 1);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id);
        }

        await silent.SettleAsync();
        await Eventually.Holds(() => sut.GetStatistics().Queued == 0, "the queue to be empty");
        for (int number = 0; number < 12; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        var again = sut.All.Say(12).AsTask();
        Assert.False(again.IsCompleted); // it is waited for again
        silent.Dispose();
        await again.Within("the end of the member");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_that_takes_just_enough_does_not_hold_callers_for_ever()
    {
        const int Takes = 20, StepsOfTake = 10;
        var time = new ManualTime();
        var (wait, step, held) = (TimeSpan.FromSeconds(7), TimeSpan.FromSeconds(0.69), TimeSpan.Zero);
        var options = new MuxGroupOptions { MaxQueuedBytes = 2 * SmallCall, WaitTimeout = wait };
        var (_, sut, silent, ids, _) = await BeginSilentAsync(options, most: 1, time, static server => server.KeepAliveTime = Timeout.InfiniteTimeSpan);
        var call = Task.CompletedTask;
        int missed = 0;
        for (int steps = 1; steps <= Takes * StepsOfTake; steps++)
        {
            for (int calls = 0; calls < 10 && call.IsCompleted; calls++) call = sut.All.Say(1).AsTask();
            if (!call.IsCompleted) held += step;
            time.Advance(step);
            if (steps % StepsOfTake != 0) continue;
            await silent.Arrived.ReachAsync(steps / StepsOfTake);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id); // it takes half of its queue, just before callers would wait for it no longer
            await silent.Arrived.ReachAsync((steps / StepsOfTake) + 1);
            await Eventually.Holds(() => sut.GetStatistics().Queued <= 2, "the place of the call that was taken");
            if (steps / StepsOfTake == 1) Assert.Equal(0, sut.GetStatistics().Missed);
            missed = (int)sut.GetStatistics().Missed;
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"Callers were held for {held} of {step * Takes * StepsOfTake}, and the member missed {missed} calls.");
        Assert.InRange(held, wait, wait + (Takes * ((wait / 2) + step)));
        silent.Dispose();
        await call.Within("the end of the member");
    }

    [Fact(Timeout = TestLimit)]
    public async Task No_caller_waits_longer_than_the_timeout_though_others_get_room()
    {
        var time = new ManualTime();
        var options = new MuxGroupOptions { MaxQueuedBytes = 10 * SmallCall, WaitTimeout = TimeSpan.FromSeconds(7) };
        var (_, sut, silent, ids, _) = await BeginSilentAsync(options, most: 2, time);
        for (int number = 0; number < 12; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        var waits = Enumerable.Range(0, 10).Select(number => sut.All.Say(number).AsTask()).ToArray();
        time.Advance(TimeSpan.FromSeconds(6.9));
        for (int answered = 0; answered < 5; answered++)
        {
            await silent.Arrived.ReachAsync(answered + 1);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id);
        }

        await Task.WhenAll(waits[..5]).Within("room for five calls");
        Assert.All(waits[5..], static one => Assert.False(one.IsCompleted));
        time.Advance(TimeSpan.FromSeconds(0.2));
        await Task.WhenAll(waits).Within("the end of the wait of the others");
        Assert.Equal((5, 10), (sut.GetStatistics().Missed, sut.GetStatistics().Queued));
        Assert.False(sut.All.Say(1).AsTask() is { IsCompleted: true }); // the member has made room: it is waited for
        silent.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_whose_time_is_over_leave_the_queue_and_keep_no_caller_waiting()
    {
        var time = new ManualTime();
        var (_, sut, silent, _, scene) = await BeginSilentAsync(new MuxGroupOptions { MaxQueuedBytes = 1_400 }, most: 1, time);
        await sut.All.Say(1);
        var soon = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) };
        int queued = 0;
        var waits = Task.CompletedTask;
        for (; waits.IsCompleted; queued++) waits = sut.All.Tell("now", soon).AsTask();
        time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.False(waits.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(0.2));

        // One that is just being handed over is looked at again soon.
        await Eventually.Holds(
            () =>
            {
                time.Advance(TimeSpan.FromMilliseconds(10));
                return (sut.GetStatistics().Queued, sut.GetStatistics().Missed) == (0, queued);
            },
            () => $"{queued} missed calls: {sut.GetStatistics()}");
        await waits.Within("the time of the call");
        for (int number = 0; number < 5; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        Assert.Contains(" expired.", (await scene.Logs.ReachAsync("GroupCallsMissed"))[0].Text, StringComparison.Ordinal);
        silent.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_may_miss_the_oldest_calls()
    {
        const int Calls = 100, Most = 2, Queue = 10;
        var options = new MuxGroupOptions { MaxQueuedBytes = Queue * SmallCall, WhenSlow = MuxSlowMember.DropOldest };
        var (audience, sut, silent, ids, _) = await BeginSilentAsync(options, Most);
        for (int number = 0; number < Calls; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        await audience.Seats[0].Listener.Heard.ReachAsync(Calls);
        Assert.Equal((Calls - Most - Queue, Queue), (sut.GetStatistics().Missed, sut.GetStatistics().Queued));
        for (int answered = 0; answered < Most + Queue; answered++)
        {
            await silent.Arrived.ReachAsync(answered + 1);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id);
        }

        Assert.Equal([0, 1, .. Enumerable.Range(Calls - Queue, Queue)], silent.Requests.Select(request => request.Length < 6 ? 0 : (int)request[5]));
        silent.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_may_be_cut_off()
    {
        var options = new MuxGroupOptions { MaxQueuedBytes = 10 * SmallCall, WhenSlow = MuxSlowMember.End };
        var (audience, sut, silent, _, scene) = await BeginSilentAsync(options, most: 2);
        scene.ExpectedEnds.Add(CloseReason.SlowPeer);
        for (int number = 0; number < 13; number++) Assert.True(sut.All.Say(number).AsTask().IsCompletedSuccessfully);
        await silent.Ended.WaitAsync();
        Assert.Equal(ConnectionCode.SlowPeer, silent.Code);
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 1, Queued: 0, Missed: 11 }, "the member to leave");
        await audience.Seats[0].Listener.Heard.ReachAsync(13);
        var told = (await scene.Logs.ReachAsync("GroupCallsMissed"))[0];

        // The queue, also what was being handed over at the end, and the call that did not fit.
        Assert.Contains("has missed 11 call(s)", told.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Queues_are_part_of_the_memory_of_all_peers()
    {
        const int Held = 1 << 20;
        var (audience, sut, silent, _, scene) = await BeginSilentAsync(new MuxGroupOptions { MaxQueuedBytes = 10 << 20 }, most: 2, configure: options =>
            (options.MaxMessageBytes, options.Limits.MaxHeldBytes, options.Limits.MaxHeldBytesPerAddress) = (256 * 1024, Held, Held));
        for (int number = 0; number < 100; number++)
        {
            await sut.All.Show(number, new byte[10_000]);
            await audience.Seats[0].Listener.Heard.ReachAsync(number + 1);
        }

        Assert.InRange(sut.GetStatistics().QueuedBytes, Held / 4, Held / 2); // a connection leaves as much free as it holds
        Assert.Equal(sut.GetStatistics().QueuedBytes, HeldBytes());
        Assert.Equal(100, 2 + sut.GetStatistics().Queued + sut.GetStatistics().Missed);
        Assert.Contains("1 no_memory", (await scene.Logs.ReachAsync("GroupCallsMissed"))[0].Text, StringComparison.Ordinal);
        silent.Dispose();
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 1, Queued: 0 } && HeldBytes() == 0, "the member to leave");

        long HeldBytes() => scene.Meters.Read().Single(static reading => reading.Instrument == "mux.server.held_bytes").Value;
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_pushes_out_the_oldest_gets_their_memory_when_there_is_no_other()
    {
        const int Held = 1 << 20, Bytes = 10_000, Latest = 10;
        var (audience, sut, silent, _, scene) = await BeginSilentAsync(
            new MuxGroupOptions { MaxQueuedBytes = Latest * (Bytes + 200), WhenSlow = MuxSlowMember.DropOldest }, most: 1, configure: options =>
                (options.MaxMessageBytes, options.Limits.MaxHeldBytes, options.Limits.MaxHeldBytesPerAddress) = (256 * 1024, Held, Held));
        for (int number = 0; number <= Latest; number++) await sut.All.Show(number, new byte[Bytes]);
        Assert.Equal((Latest, 0), (sut.GetStatistics().Queued, sut.GetStatistics().Missed));

        var full = new MuxGroup<IHeard>(new MuxGroupOptions { Name = "full", MaxQueuedBytes = 10 << 20 }, scene.Meters);
        foreach (var peer in audience.Server.Peers) Assert.True(full.Add(peer));
        for (int number = 0; full.GetStatistics().Missed == 0; number++)
        {
            await full.All.Show(number, new byte[Bytes]);
            await audience.Seats[0].Listener.Heard.ReachAsync(Latest + 1 + number + 1);
        }

        const int More = 21; // an odd number: memory of a dropped call let every other one in
        for (int number = 0; number < More; number++) await sut.All.Show(number, new byte[Bytes]);
        Assert.Equal((Latest, More), (sut.GetStatistics().Queued, sut.GetStatistics().Missed));
        silent.Dispose();
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 1, Queued: 0 }, "the member to leave");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_waits_longer_than_its_time_is_missed()
    {
        var time = new ManualTime();
        var (_, sut, silent, ids, scene) = await BeginSilentAsync(new MuxGroupOptions(), most: 1, time);
        await sut.All.Tell("in time");
        await sut.All.Tell("too late", new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) });
        await sut.All.Tell("late enough", new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10) });
        time.Advance(TimeSpan.FromSeconds(2));
        for (int answered = 0; answered < 2; answered++)
        {
            await silent.Arrived.ReachAsync(answered + 1);
            Assert.True(ids.TryDequeue(out var id));
            silent.Respond(id);
        }

        await Eventually.Holds(() => sut.GetStatistics() is { Queued: 0, Missed: 1 }, "the queue to be empty");
        Assert.Contains(" 1 expired.", (await scene.Logs.ReachAsync("GroupCallsMissed"))[0].Text, StringComparison.Ordinal);
        silent.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_that_leaves_misses_what_waits_and_no_caller_waits_for_it()
    {
        var (_, sut, silent, _, scene) = await BeginSilentAsync(new MuxGroupOptions { MaxQueuedBytes = 10 * SmallCall }, most: 2);
        for (int number = 0; number < 12; number++) await sut.All.Say(number);
        var waits = Enumerable.Range(0, 5).Select(number => sut.All.Say(number).AsTask()).ToArray();
        silent.Dispose();
        await Task.WhenAll(waits).Within("the end of the member");
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 1, Queued: 0, QueuedBytes: 0, Missed: 15 }, "the member to leave");
        Assert.Contains("has missed", (await scene.Logs.ReachAsync("GroupMemberGone"))[0].Text, StringComparison.Ordinal);
        Assert.Empty(scene.Logs.Of("GroupCallsMissed"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_may_learn_which_members_have_its_call_and_which_missed_it_for_which_reason()
    {
        var time = new ManualTime();
        var (audience, sut, silent, _, scene) = await BeginSilentAsync(new MuxGroupOptions { MaxQueuedBytes = 10 * SmallCall }, most: 2, time);
        var slow = sut.Single(peer => peer != audience.Seats[0].Peer);
        var deaf = scene.CreateChannel(audience.Server);
        await deaf.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
        for (int number = 0; number < 11; number++) Assert.Equal((2, 0), Of(await sut.SendAsync(all => all.Say(number), cancellationToken: TestContext.Current.CancellationToken)));
        Assert.True(sut.Add(audience.AtServer.LastCaller!));
        var last = await sut.SendAsync(all => all.Say(11), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal((2, new MuxMissedMember(audience.AtServer.LastCaller!, MuxMissReason.Refused)), (last.Reached, Assert.Single(last.Missed)));
        sut.Remove(audience.AtServer.LastCaller!);
        var waits = sut.SendAsync(async all =>
        {
            await all.Say(12);
            await all.Say(13);
        }, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await audience.Seats[0].Listener.Heard.ReachAsync(14);
        Assert.False(waits.IsCompleted);
        using var impatient = new CancellationTokenSource();
        var cancelled = sut.SendAsync(all => all.Say(14), cancellationToken: impatient.Token).AsTask();
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        time.Advance(TimeSpan.FromSeconds(5.1));
        var missed = await waits.Within("the end of the patience");
        Assert.Equal(2, missed.Reached);
        Assert.Equal(Enumerable.Repeat(new MuxMissedMember(slow, MuxMissReason.QueueFull), 2), missed.Missed);
        Assert.Equal((1, 0), Of(await sut.SendAsync(others => others.Say(15), slow, TestContext.Current.CancellationToken)));
        Assert.Equal((0, 0), Of(await new MuxGroup<IHeard>().SendAsync(all => all.Say(1), cancellationToken: TestContext.Current.CancellationToken)));
        await Assert.ThrowsAsync<MuxException>(() => sut.SendAsync(all => all.Show(1, null!), cancellationToken: TestContext.Current.CancellationToken).AsTask());
        silent.Dispose();

        static (int Reached, int Missed) Of(MuxGroupDelivery delivery) => (delivery.Reached, delivery.Missed.Count);
    }

    [Fact]
    public void Options_out_of_range_are_refused_by_name()
    {
        Assert.Contains("MaxQueuedBytes", Refusal(new MuxGroupOptions { MaxQueuedBytes = -1 }), StringComparison.Ordinal);
        Assert.Contains("0 to 1073741824 bytes", Refusal(new MuxGroupOptions { MaxQueuedBytes = (1L << 30) + 1 }), StringComparison.Ordinal);
        Assert.Contains("WhenSlow", Refusal(new MuxGroupOptions { WhenSlow = (MuxSlowMember)3 }), StringComparison.Ordinal);
        Assert.Contains("WaitTimeout", Refusal(new MuxGroupOptions { WaitTimeout = Timeout.InfiniteTimeSpan }), StringComparison.Ordinal);

        static string Refusal(MuxGroupOptions options) => Assert.Throws<ArgumentException>(() => new MuxGroup<IHeard>(options)).Message;
    }

    /// <summary>A group of a member that hears everything, and one that answers when the test does.</summary>
    private async Task<(Audience Audience, MuxGroup<IHeard> Group, RawClient Silent, System.Collections.Concurrent.ConcurrentQueue<CallId> Ids, Scene Scene)> BeginSilentAsync(
        MuxGroupOptions options, int most, ManualTime? time = null, Action<MuxServerOptions>? configure = null)
    {
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.KeepAliveTimeout]); // the silent one answers no ping
        var audience = await Audience.GatherAsync(scene, 1, configureServer: configure);
        var ids = new System.Collections.Concurrent.ConcurrentQueue<CallId>();
        var silent = new RawClient(scene, audience.Server.Address, (_, id) => ids.Enqueue(id), new PeerSettings { MaxCalls = most });
        await Eventually.Holds(() => audience.Server.Peers.Count == 2, "the server to know its client");
        var group = new MuxGroup<IHeard>(options, scene.Meters);
        foreach (var peer in audience.Server.Peers) Assert.True(group.Add(peer));
        return (audience, group, silent, ids, scene);
    }
}
