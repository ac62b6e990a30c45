using Mux.Engine;
using Mux.TestSupport.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Groups;

/// <summary>Members that end at bad moments, keys that cannot be named, and backplanes that refuse: groups keep their members, and leave nothing.</summary>
public sealed class HostileGroupTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Members_that_are_disposed_by_what_they_hear_leave_and_the_others_hear_on(TransportKind kind)
    {
        const int Members = 12, Calls = 50;
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var audience = await Audience.GatherAsync(scene, Members, static options => options.DrainTimeout = TimeSpan.FromMilliseconds(50));
        var sut = new MuxGroup<IHeard>();
        foreach (var (peer, listener, channel) in audience.Seats)
        {
            Assert.True(sut.Add(peer));
            int last = audience.Seats.FindIndex(seat => seat.Listener == listener);
            if (last % 2 == 1) listener.OnNumber = number =>
            {
                if (number == last) _ = channel.DisposeAsync().AsTask();
            };
        }

        for (int number = 0; number < Calls; number++) await sut.All.Say(number);
        for (int member = 0; member < Members; member++)
        {
            var listener = audience.Seats[member].Listener;
            await listener.Heard.ReachAsync(member % 2 == 0 ? Calls : member + 1);
            if (member % 2 == 0) Assert.Equal(Enumerable.Range(0, Calls), listener.Numbers);
        }

        await Eventually.Holds(() => sut.Count == Members / 2, () => $"{Members / 2} members to be left, not {sut.Count}");
        await sut.All.Say(Calls);
        foreach (var (_, listener, _) in audience.Seats.Where(static (_, member) => member % 2 == 0)) await listener.Heard.ReachAsync(Calls + 1);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Members_that_come_and_go_on_other_threads_take_nothing_from_those_that_stay(bool isShared)
    {
        const int Calls = 2_000, Comers = 3;
        var backplane = new MemoryBackplane(new MemoryHub(), capacity: 2 * Calls);
        var sut = new MuxGroups<string, IHeard>(isShared ? new MuxGroupOptions { IsShared = true, Backplane = backplane } : null);
        using FakePeer staying = new(0), spared = new(1);
        foreach (var peer in (FakePeer[])[staying, spared]) Assert.True(sut["room"].Add(peer));
        using var stop = new CancellationTokenSource();
        var comers = Enumerable.Range(0, Comers).Select(comer => Task.Run(async () =>
        {
            for (int i = 2; !stop.IsCancellationRequested; i++)
            {
                using var peer = new FakePeer((i * Comers) + comer);
                Assert.True(sut["room"].Add(peer));
                Assert.True(sut[$"{comer}"].Add(peer));
                await sut["room"].Except(peer).Tell("hello");
                if (i % 2 == 0) peer.Close();
                else Assert.Equal(2, sut.RemoveFromAll(peer));
                Assert.False(sut["room"].Contains(peer));
                int[] heard = peer.Listener.Numbers; // once: a call that was on its way to it may still come
                Assert.Equal(heard.Order(), heard);
            }
        })).ToArray();

        for (int number = 0; number < Calls; number++) await sut["room"].Except(spared).Say(number);
        await stop.CancelAsync();
        foreach (var comer in comers) await comer.Within("the last of those that come and go");

        Assert.Equal(Enumerable.Range(0, Calls), staying.Listener.Numbers);
        Assert.Empty(spared.Listener.Numbers);
        Assert.Equal((1, 2), (sut.GetStatistics().Groups, sut.GetStatistics().Members));
        Assert.Equal(isShared ? 1 : 0, backplane.Subscriptions);
        foreach (var peer in (FakePeer[])[staying, spared]) Assert.Equal(1, sut.RemoveFromAll(peer));
        Assert.Equal((0, 0), (sut.GetStatistics().Groups, sut.GetStatistics().Members));
        Assert.Equal(0, backplane.Subscriptions);
    }

    [Fact]
    public void A_group_whose_backplane_refuses_is_forgotten_and_subscribes_at_the_next_try()
    {
        var backplane = new RefusingBackplane();
        var sut = new MuxGroups<int, IHeard>(new MuxGroupOptions { IsShared = true, Backplane = backplane });
        using var peer = new FakePeer(1);
        Assert.Throws<ObjectDisposedException>(() => sut[7].Add(peer));
        Assert.Equal((0, 0), (sut.GetStatistics().Groups, sut.GetStatistics().Members));
        backplane.Refuses = false;
        Assert.True(sut[7].Add(peer));
        Assert.Equal(1, backplane.Subscriptions);
        Assert.True(sut[7].Remove(peer));
        Assert.Equal(0, backplane.Subscriptions);
    }

    [Fact]
    public void A_group_whose_first_member_fails_to_subscribe_while_another_joins_subscribes_with_the_next_one()
    {
        using FakePeer first = new(1), second = new(2), third = new(3);
        MuxGroups<int, IHeard>? sut = null;
        var backplane = new RefusingBackplane { OnSubscribing = () => sut![7].Add(second) };
        sut = new MuxGroups<int, IHeard>(new MuxGroupOptions { IsShared = true, Backplane = backplane });
        Assert.Throws<ObjectDisposedException>(() => sut[7].Add(first));
        Assert.Equal((1, 1), (sut.GetStatistics().Groups, sut.GetStatistics().Members));
        backplane.Refuses = false;
        Assert.True(sut[7].Add(third));
        Assert.Equal(1, backplane.Subscriptions);
        Assert.True(sut[7].Remove(second));
        Assert.True(sut[7].Remove(third));
        Assert.Equal((0, 0), (sut.GetStatistics().Groups, backplane.Subscriptions));
    }

    [Fact]
    public async Task Keys_whose_names_throw_join_nobody_and_the_caller_gets_the_exception()
    {
        var backplane = new MemoryBackplane(new MemoryHub());
        var options = new MuxGroupOptions { IsShared = true, Backplane = backplane }.NameKeys<int>(static key =>
            key > 0 ? $"room {key}" : key == 0 ? null! : throw new FormatException("no name"));
        var sut = new MuxGroups<int, IHeard>(options);
        using var peer = new FakePeer(1);
        Assert.Throws<FormatException>(() => sut[-1].Add(peer));
        Assert.Throws<ArgumentException>(() => sut[0].Add(peer));
        await Assert.ThrowsAsync<FormatException>(() => sut[-1].All.Say(1).AsTask());
        Assert.False(sut[-1].Remove(peer));
        Assert.True(sut[1].Add(peer));
        await sut[1].All.Say(1);
        Assert.Equal([1], peer.Listener.Numbers);
        Assert.Equal(1, sut.GetStatistics().Groups);
        Assert.Equal(1, sut.RemoveFromAll(peer));
        Assert.Equal(0, backplane.Subscriptions);
    }
}
