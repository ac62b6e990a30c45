using Mux.Tests.Peers;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Groups;

/// <summary>What members of a group get, and what callers see.</summary>
public sealed class GroupTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Every_member_gets_every_call_once_in_the_order_in_which_they_were_made(TransportKind kind)
    {
        const int Members = 20, Calls = 500;
        var audience = await Audience.GatherAsync(Begin(kind), Members);
        var outsider = await audience.SeatAsync();
        var sut = new MuxGroup<IHeard>();
        Assert.All(audience.Peers.SkipLast(1), peer => Assert.True(sut.Add(peer)));
        for (int number = 0; number < Calls; number++)
        {
            var call = sut.All.Say(number);
            Assert.True(call.IsCompletedSuccessfully);
            await call;
        }

        foreach (var (_, listener, _) in audience.Seats.SkipLast(1))
        {
            await listener.Heard.ReachAsync(Calls);
            Assert.Equal(Enumerable.Range(0, Calls), listener.Numbers);
        }

        Assert.Empty(outsider.Listener.Numbers);
        Assert.Equal(new MuxGroupStatistics(Calls, Calls * Members, 0, Members, 1), sut.GetStatistics());
        Assert.Same(sut.All, sut.All);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task All_but_one_get_a_call_that_excepts_it(TransportKind kind)
    {
        var audience = await Audience.GatherAsync(Begin(kind), 12);
        var outsider = await audience.SeatAsync();
        var sut = new MuxGroup<IHeard>();
        foreach (var peer in audience.Peers.SkipLast(1)) sut.Add(peer);
        var spared = audience.Seats[3];
        Assert.Same(sut.Except(spared.Peer), sut.Except(spared.Peer));
        await sut.Except(spared.Peer).Say(1);
        await sut.Except(outsider.Peer).Say(2);
        foreach (var (peer, listener, _) in audience.Seats.SkipLast(1))
        {
            await listener.Heard.ReachAsync(peer == spared.Peer ? 1 : 2);
            Assert.Equal(peer == spared.Peer ? [2] : [1, 2], listener.Numbers);
        }

        Assert.Empty(outsider.Listener.Numbers);
        Assert.Equal((23, 0), (sut.GetStatistics().Delivered, sut.GetStatistics().Missed));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Large_calls_arrive_whole_at_all(TransportKind kind)
    {
        const int Size = 300_000;
        var audience = await Audience.GatherAsync(Begin(kind), 12);
        var sut = new MuxGroup<IHeard>();
        foreach (var peer in audience.Peers) sut.Add(peer);
        foreach (int size in (int[])[Size, 16_000, 40_000])
        {
            byte[] picture = new byte[size];
            Random.Shared.NextBytes(picture);
            await sut.All.Show(size, picture);
            foreach (var (_, listener, _) in audience.Seats)
            {
                await Eventually.Holds(() => listener.Numbers.Contains(size), "the picture");
                Assert.Contains(listener.Pictures, got => got.AsSpan().SequenceEqual(picture));
            }
        }

        Assert.Equal((36, 0), (sut.GetStatistics().Delivered, sut.GetStatistics().Missed));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_peer_that_leaves_gets_nothing_that_is_called_afterwards(TransportKind kind)
    {
        var audience = await Audience.GatherAsync(Begin(kind), 10);
        var (leaver, heard, _) = audience.Seats[4];
        var sut = new MuxGroup<IHeard>();
        foreach (var peer in audience.Peers) sut.Add(peer);
        await sut.All.Say(1);
        Assert.True(sut.Remove(leaver));
        Assert.False(sut.Remove(leaver));
        Assert.False(sut.Contains(leaver));
        await sut.All.Say(2);
        Assert.True(sut.Add(leaver));
        Assert.False(sut.Add(leaver));
        await sut.All.Say(3);
        await heard.Heard.ReachAsync(2);
        Assert.Equal(5, await leaver.Get<IHeard>().Ask(4, TestContext.Current.CancellationToken).AsTask().Within("what comes after all others"));
        Assert.Equal([1, 3], heard.Numbers);
        Assert.Equal(audience.Peers.Order(Comparer<MuxPeer>.Create((a, b) => string.CompareOrdinal(a.Id, b.Id))), sut.OrderBy(peer => peer.Id, StringComparer.Ordinal));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_peer_leaves_by_itself_when_its_connection_ends_and_cannot_come_back(TransportKind kind)
    {
        var audience = await Audience.GatherAsync(Begin(kind), 2);
        var sut = new MuxGroups<int, IHeard>();
        var (leaver, _, channel) = audience.Seats[0];
        for (int room = 0; room < 100; room++) sut[room].Add(leaver);
        sut[0].Add(audience.Seats[1].Peer);
        await channel.DisposeAsync();
        await Eventually.Holds(() => sut.GetStatistics() is { Members: 1, Groups: 1 }, "the peer to leave");
        Assert.Equal([audience.Seats[1].Peer], sut[0]);
        Assert.False(sut[1].Add(leaver));
        Assert.Equal(1, sut.GetStatistics().Groups);
        await sut[0].All.Say(1);
        await audience.Seats[1].Listener.Heard.ReachAsync(1);
        Assert.Equal((1, 0), (sut.GetStatistics().Delivered, sut.GetStatistics().Missed));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_member_may_leave_by_ending_itself_in_the_call(TransportKind kind)
    {
        const int Members = 12;
        var audience = await Audience.GatherAsync(Begin(kind), Members);
        var sut = new MuxGroup<IHeard>();
        for (int i = 0; i < Members; i++)
        {
            var (peer, listener, channel) = audience.Seats[i];
            int last = i * 3;
            sut.Add(peer);
            listener.OnNumber = number =>
            {
                if (number == last) _ = channel.DisposeAsync().AsTask(); // not awaited: the disposal waits for this handler
            };
        }

        for (int number = 0; number < Members * 3; number++)
        {
            await sut.All.Say(number);
            await audience.Seats[^1].Listener.Heard.ReachAsync(Math.Min(number, (Members - 1) * 3) + 1);
        }

        await Eventually.Holds(() => sut.GetStatistics() is { Members: 0, Groups: 0 }, "the members to leave");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_to_the_group_makes_members_call_the_group(TransportKind kind)
    {
        const int Members = 10;
        var audience = await Audience.GatherAsync(Begin(kind), Members);
        var sut = new MuxGroup<IHeard>();
        audience.AtServer.OnBounce = async (depth, _, _) =>
        {
            await sut.All.Say(depth);
            return depth;
        };
        foreach (var (peer, listener, channel) in audience.Seats)
        {
            sut.Add(peer);
            var server = channel.CreateProxy<IBounce>();
            listener.OnNumber = number =>
            {
                if (number > 0) _ = server.Bounce(number - 1, cancellationToken: CancellationToken.None).AsTask();
            };
        }

        await sut.All.Say(2);
        foreach (var (_, listener, _) in audience.Seats)
        {
            await listener.Heard.ReachAsync(1 + Members + (Members * Members));
            Assert.Equal(Members * Members, listener.Numbers.Count(number => number == 0));
        }

        Assert.Equal(0, sut.GetStatistics().Missed);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Options_of_a_call_reach_every_member_and_no_deadline_is_inherited()
    {
        var audience = await Audience.GatherAsync(Begin(TransportKind.InMemory), 10);
        var sut = new MuxGroup<IHeard>();
        foreach (var peer in audience.Peers) sut.Add(peer);
        audience.AtServer.OnBounce = async (_, _, _) =>
        {
            await sut.All.Tell("inherited?");
            return 0;
        };
        await sut.All.Tell("with all", new MuxCallOptions { Timeout = TimeSpan.FromMinutes(1), Metadata = new MuxMetadata { { "room", "lobby" } } });
        await audience.Seats[0].Channel.CreateProxy<IBounce>().Bounce(0, new MuxCallOptions { Timeout = TimeSpan.FromMinutes(2) }, TestContext.Current.CancellationToken);
        await sut.All.Tell("too late", new MuxCallOptions { Timeout = TimeSpan.Zero });
        foreach (var (_, listener, _) in audience.Seats)
        {
            await listener.Heard.ReachAsync(2);
            var texts = listener.Texts.ToDictionary(entry => entry.Text, entry => entry.Options);
            Assert.Equal(2, texts.Count);
            Assert.InRange(texts["with all"].Timeout!.Value, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1));
            Assert.Equal("lobby", texts["with all"].Metadata!["room"]);
            Assert.Null(texts["inherited?"].Timeout);
        }

        Assert.Equal((20, 10), (sut.GetStatistics().Delivered, sut.GetStatistics().Missed));
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_a_group_cannot_call_is_refused_by_name()
    {
        var audience = await Audience.GatherAsync(Begin(TransportKind.InMemory), 1);
        var sut = new MuxGroup<IHeard>();
        sut.Add(audience.Seats[0].Peer);
        foreach (var (call, name) in new (Action, string)[]
        {
            (() => _ = sut.All.Ask(1, CancellationToken.None).AsTask(), "test.Heard/Ask"),
            (() => sut.All.Count(1, CancellationToken.None), "test.Heard/Count"),
            (() => _ = sut.All.Sum(AsyncEnumerable.Empty<int>(), CancellationToken.None).AsTask(), "test.Heard/Sum"),
        })
        {
            var refusal = Assert.Throws<NotSupportedException>(call);
            Assert.StartsWith($"{name} is not one-way", refusal.Message, StringComparison.Ordinal);
        }

        var failure = await Assert.ThrowsAsync<MuxException>(() => sut.All.Show(1, null!).AsTask());
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.Contains("test.Heard/Show at the group test.Heard", failure.Message, StringComparison.Ordinal);
        Assert.Equal(0, sut.GetStatistics().Calls);
        Assert.Contains("has no method with [MuxMethod(OneWay = true)]", Assert.Throws<InvalidOperationException>(() => new MuxGroup<IStrict>()).Message, StringComparison.Ordinal);
        Assert.Contains("Name: ", Assert.Throws<ArgumentException>(() => new MuxGroups<int, IHeard>(new MuxGroupOptions { Name = new string('x', 257) })).Message, StringComparison.Ordinal);
    }
}
