using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>What groups keep, and for how long.</summary>
public sealed class GroupLifeTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task A_member_is_never_idle_and_one_that_has_left_is()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.Add(CloseReason.Idle);
        var audience = await Audience.GatherAsync(scene, 1, options => options.KeepAliveTime = Timeout.InfiniteTimeSpan, options =>
        {
            options.KeepAliveTime = TimeSpan.FromSeconds(30);
            options.KeepAliveTimeout = TimeSpan.FromMinutes(10); // the clock may run ahead of an answer
            options.IdleTimeout = TimeSpan.FromSeconds(70);
        });
        var (peer, listener, channel) = audience.Seats[0];
        var rooms = new MuxGroups<string, IHeard>();
        rooms["one"].Add(peer);
        rooms["two"].Add(peer);
        for (int ping = 0; ping < 10; ping++)
        {
            var (asked, answered) = (channel.GetStatistics().FramesReceived, audience.Server.GetStatistics().FramesReceived);
            time.Advance(TimeSpan.FromSeconds(31));
            await Eventually.Holds(() => channel.GetStatistics().FramesReceived > asked && audience.Server.GetStatistics().FramesReceived > answered, $"PING {ping} and its answer");
            if (ping == 5) rooms["one"].Remove(peer);
        }

        await rooms["two"].All.Say(1);
        await listener.Heard.ReachAsync(1);
        rooms["two"].Remove(peer);
        await Eventually.Holds(
            () =>
            {
                time.Advance(TimeSpan.FromSeconds(1));
                return peer.Closed.IsCancellationRequested;
            },
            "the end of an idle connection");
        await Eventually.Holds(() => audience.Server.Ledger!.Sum().EndsOf(CloseReason.Idle) == 1, "the reason of the end"); // counted behind the peer's token
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_may_be_in_as_many_groups_as_the_limit_says()
    {
        var audience = await Audience.GatherAsync(Begin(TransportKind.InMemory), 1);
        var peer = audience.Seats[0].Peer;
        var sut = new MuxGroups<int, IHeard>();
        for (int room = 0; room < 1_024; room++) Assert.True(sut[room].Add(peer));
        Assert.False(sut[7].Add(peer));
        var refusal = Assert.Throws<MuxException>(() => sut[1_024].Add(peer));
        Assert.Equal(MuxStatus.ResourceExhausted, refusal.Status);
        Assert.Contains($"{peer} is in 1024 groups", refusal.Message, StringComparison.Ordinal);
        Assert.Equal((1_024, 1_024), (sut.GetStatistics().Groups, sut.GetStatistics().Members));
        Assert.True(sut[0].Remove(peer));
        Assert.True(sut[1_024].Add(peer));
        Assert.Equal(1_024, sut.RemoveFromAll(peer));
        Assert.Equal(0, sut.GetStatistics().Groups);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Ten_thousand_joins_leave_no_memory_behind()
    {
        const int Rounds = 10, Joins = 1_000;
        var audience = await Audience.GatherAsync(Begin(TransportKind.InMemory), 1);
        var sut = new MuxGroups<int, IHeard>();
        JoinAndLeave(0); // code and what is made once
        long least = long.MaxValue; // what a join leaves behind it leaves in each round; what the runtime and the tests before it made or let go is in some
        for (int round = 1; round <= Rounds; round++)
        {
            long before = ManagedMemory.Read();
            JoinAndLeave(round);
            least = Math.Min(least, ManagedMemory.Read() - before);
        }

        Assert.InRange(least, long.MinValue, 10 * Joins); // 10 bytes for each: no object of any
        Assert.Equal((0, 0), (sut.GetStatistics().Groups, sut.GetStatistics().Members));

        void JoinAndLeave(int round)
        {
            for (int i = 0; i < Joins; i++)
            {
                int room = (round * Joins) + i;
                Assert.True(sut[room].Add(audience.Seats[0].Peer));
                using var other = new FakePeer(room);
                Assert.True(sut[room].Add(other));
                var call = sut[room].Except(audience.Seats[0].Peer).Say(room); // the other notes it, and goes
                Assert.True(call.IsCompletedSuccessfully);
                other.Close();
            }

            Assert.Equal(Joins, sut.RemoveFromAll(audience.Seats[0].Peer));
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_may_call_its_servers_as_a_group()
    {
        var scene = Begin(TransportKind.InMemory);
        var bouncers = new Bouncer[] { new(), new() };
        var sut = new MuxGroup<IBounce>();
        foreach (var bouncer in bouncers)
        {
            scene.CreateChannel(scene.StartServer(server => server.AddService<IBounce>(bouncer)), options =>
            {
                options.KeepConnected = true;
                options.OnOpened = (peer, _) =>
                {
                    sut.Add(peer);
                    return default;
                };
            });
        }

        await Eventually.Holds(() => sut.Count == 2, "both servers");
        await sut.All.Tell("hello");
        foreach (var bouncer in bouncers) await bouncer.Tellings.ReachAsync(1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_of_a_group_are_counted_as_calls_of_the_server_to_its_clients()
    {
        var scene = Begin(TransportKind.InMemory);
        var audience = await Audience.GatherAsync(scene, 10);
        var sut = new MuxGroup<IHeard>(new MuxGroupOptions { Name = "the room" }, scene.Meters);
        foreach (var peer in audience.Peers) sut.Add(peer);
        await sut.All.Say(1);
        foreach (var (_, listener, _) in audience.Seats) await listener.Heard.ReachAsync(1);
        Assert.Equal(10, audience.Server.GetStatistics().ReverseCallsStarted);
        await Eventually.Holds(() => audience.Server.GetStatistics().ReverseCallsCompleted == 10, "the answers"); // a member hears the call before it answers
        var readings = scene.Meters.Read();
        Assert.Equal(10, Of("mux.server.reverse_calls", "rpc.method", "test.Heard/Say"));
        Assert.Equal(1, Of("mux.group.calls", "mux.group.name", "the room"));
        Assert.Equal(10, Of("mux.group.delivered", "mux.group.name", "the room"));
        Assert.Equal(0, Of("mux.group.missed", "mux.group.name", "the room"));
        Assert.Equal(10, Of("mux.group.members", "mux.group.name", "the room"));
        Assert.Equal(1, Of("mux.group.groups", "mux.group.name", "the room"));

        long Of(string instrument, string tag, string value) =>
            readings.Where(reading => reading.Instrument == instrument && reading.Tag(tag) == value).Sum(reading => reading.Value);
    }
}
