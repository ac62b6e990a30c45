using System.Collections.Concurrent;
using System.Globalization;
using Mux.Push;
using Mux.TestSupport.Backplanes;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Groups;

/// <summary>Groups with members at several servers.</summary>
public sealed class RelayedGroupTests : EndToEndTests
{
    private const string Room = "groups:test:room 7";

    private readonly ConcurrentDictionary<(string Group, object Subscription), Action<ReadOnlyMemory<byte>>> _subscribers = new();

    [Fact]
    public void Members_of_all_servers_hear_what_is_said_in_their_room_once_and_in_order() => Seeds.ForEach(100, seed =>
    {
        const int Servers = 3, Rooms = 3, Steps = 300;
        var random = new Random(seed);
        var (relays, rooms) = Serve(Servers);
        var members = new List<(FakePeer Peer, int Server, HashSet<int> In, List<int> Expected)>();
        for (int step = 0; step < Steps; step++)
        {
            int room = random.Next(Rooms), server = random.Next(Servers);
            if (members.Count < 10) members.Add((new FakePeer(step), random.Next(Servers), [], []));
            var (peer, home, isIn, _) = members[random.Next(members.Count)];
            switch (random.Next(6))
            {
                case 0:
                    Assert.Equal(isIn.Add(room), rooms[home][room].Add(peer));
                    break;
                case 1:
                    Assert.Equal(isIn.Remove(room), rooms[home][room].Remove(peer));
                    break;
                case 2:
                    Check(rooms[home][room].Except(peer).Say(step));
                    foreach (var entry in members.Where(entry => entry.In.Contains(room) && entry.Peer != peer)) entry.Expected.Add(step);
                    break;
                case 3:
                    relays[server].IsDown = true; // what is said is heard at home
                    Check(rooms[server][room].All.Say(step));
                    relays[server].IsDown = false;
                    foreach (var entry in members.Where(entry => entry.In.Contains(room) && entry.Server == server)) entry.Expected.Add(step);
                    break;
                default:
                    Check(rooms[server][room].All.Say(step));
                    foreach (var entry in members.Where(entry => entry.In.Contains(room))) entry.Expected.Add(step);
                    break;
            }

            foreach (var relay in relays) relay.Settle();
            Assert.Equal(members.SelectMany(entry => entry.In.Select(number => (entry.Server, number))).Distinct().Count(), _subscribers.Count);
        }

        foreach (var (peer, home, _, expected) in members)
        {
            Assert.Equal(expected, peer.Listener.Numbers);
            rooms[home].RemoveFromAll(peer);
            peer.Dispose();
        }

        Assert.Empty(_subscribers);
        Assert.All(relays, relay => Assert.Empty(relay.Unreadable));
    });

    [Fact(Timeout = TestLimit)]
    public async Task Clients_of_another_server_get_large_calls_and_options()
    {
        var (relays, rooms) = Serve(2);
        var audience = await Audience.GatherAsync(Begin(TransportKind.InMemory), 10);
        foreach (var peer in audience.Peers) rooms[1][7].Add(peer);
        byte[] picture = new byte[100_000];
        Random.Shared.NextBytes(picture);
        await rooms[0][7].All.Show(1, picture);
        await rooms[0][7].All.Tell("hello", new MuxCallOptions
        {
            Timeout = TimeSpan.FromMinutes(1),
            Priority = MuxCallPriority.High,
            Metadata = new MuxMetadata { { "from", "another" } },
        });
        relays[0].Settle();
        foreach (var (_, listener, _) in audience.Seats)
        {
            await listener.Heard.ReachAsync(2);
            Assert.Equal(picture, Assert.Single(listener.Pictures));
            var (text, options) = Assert.Single(listener.Texts);
            Assert.Equal(("hello", "another", MuxCallPriority.High), (text, options.Metadata!["from"], options.Priority));
            Assert.InRange(options.Timeout!.Value, TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1));
        }

        Assert.Equal((2, 0), (rooms[0].GetStatistics().Calls, rooms[0].GetStatistics().Delivered));
        Assert.Equal((0, 20), (rooms[1].GetStatistics().Calls, rooms[1].GetStatistics().Delivered));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_with_more_metadata_than_any_peer_accepts_reaches_nobody_and_fails_with_the_limit()
    {
        const int Charge = 32 + 1; // of an entry, beside its value
        var (relays, rooms) = Serve(2);
        var audience = await Audience.GatherAsync(
            Begin(TransportKind.InMemory), 1, static options => options.MaxMetadataBytes = ushort.MaxValue, static options => options.MaxMetadataBytes = ushort.MaxValue);
        rooms[0][7].Add(audience.Seats[0].Peer);
        using var there = new FakePeer(1);
        rooms[1][7].Add(there);
        var most = new MuxCallOptions { Metadata = new MuxMetadata { { "a", new string('v', ushort.MaxValue - Charge) } } };
        var more = new MuxCallOptions { Metadata = new MuxMetadata { { "a", new string('v', ushort.MaxValue - Charge + 1) } } };
        var many = new MuxCallOptions { Metadata = new MuxMetadata() };
        for (int i = 0; i < MuxMetadata.MaxEntries + 1; i++) many.Metadata.Add($"{i}", "");
        (MuxCallOptions, string)[] tooMuch =
        [
            (more, "65536 bytes, 32 of them for each entry; no peer can accept more than 65535"), (many, "65 entries; at most 64"),
        ];
        foreach (var (options, says) in tooMuch)
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => rooms[0][7].All.Tell("hello", options).AsTask());
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode), (failure.Status, failure.Execution, failure.Phase));
            Assert.Contains(says, failure.Message, StringComparison.Ordinal);
        }

        Assert.Equal((0, 0, 0), (rooms[0].GetStatistics().Calls, rooms[0].GetStatistics().Delivered, rooms[0].GetStatistics().Missed));
        await rooms[0][7].All.Tell("hello", most);
        relays[0].Settle();
        await audience.Seats[0].Listener.Heard.ReachAsync(1);
        await there.Listener.Heard.ReachAsync(1);
        Assert.Equal(most.Metadata["a"], Assert.Single(audience.Seats[0].Listener.Texts).Options.Metadata!["a"]);
        Assert.Empty(relays[0].Unreadable);
        rooms[1].RemoveFromAll(there);
    }

    [Fact]
    public void Bytes_that_are_no_call_are_skipped_and_named() => Seeds.ForEach(500, seed =>
    {
        var random = new Random(seed);
        var (relays, rooms) = Serve(1);
        using var peer = new FakePeer(1);
        rooms[0][7].Add(peer);
        var method = GroupMethods.Of<IHeard>().Find("test.Heard/Say")!.Called.Descriptor;
        byte[] message = GroupEnvelope.Create(1, method, new MuxCallOptions { Metadata = new MuxMetadata { { "a", "b" } } }, except: null, []);
        if (random.Next(2) == 0) message[random.Next(message.Length)] ^= (byte)random.Next(1, 256);
        else message = message[..random.Next(message.Length)];
        relays[0].TrySend(Room, message);
        relays[0].Settle();
        Assert.StartsWith($"{Room}: its ", Assert.Single(relays[0].Unreadable), StringComparison.Ordinal);
        Assert.Empty(peer.Listener.Numbers);
        rooms[0][7].Remove(peer);
    });

    [Fact]
    public void Servers_of_the_version_before_and_of_the_next_one_lose_nothing_silently()
    {
        // What servers wrote, and read, before calls had the ids of peers that do not get them: test.Heard/Say of 7, within 3 s, of high priority, idempotent.
        const string OldCall = "4D584731010000000000000000F912A19242AF77C0C62D000000000002020E000000746573742E48656172642F5361790807";
        var (relays, rooms) = Serve(1);
        using var peer = new FakePeer(1);
        rooms[0][7].Add(peer);
        relays[0].TrySend(Room, Convert.FromHexString(OldCall));
        relays[0].Settle();
        Assert.Equal([7], peer.Listener.Numbers);
        var method = GroupMethods.Of<IHeard>().Find("test.Heard/Say")!.Called.Descriptor;
        var options = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(3), Priority = MuxCallPriority.High, Idempotent = true };
        Assert.Equal(OldCall, Convert.ToHexString(GroupEnvelope.Create(1, method, options, except: null, [8, 7])));
        byte[] next = Convert.FromHexString(OldCall);
        next[3] = (byte)'9';
        relays[0].TrySend(Room, next);
        relays[0].Settle();
        Assert.Contains("a newer version of Mux", Assert.Single(relays[0].Unreadable), StringComparison.Ordinal);
        Assert.Equal([7], peer.Listener.Numbers);
        rooms[0][7].Remove(peer);
    }

    [Fact]
    public void Several_groups_are_called_at_once_and_several_peers_are_spared_at_all_servers()
    {
        var (relays, rooms) = Serve(2);
        using FakePeer one = new(1), two = new(2), three = new(3), far = new(4), farther = new(5);
        foreach (var (room, key, peer) in new[] { (0, 7, one), (0, 7, two), (0, 8, two), (0, 8, three), (1, 7, far), (1, 8, farther) }) rooms[room][key].Add(peer);
        Check(rooms[0].All(7, 8, 7).Say(1));
        Check(rooms[0][7].AllExcept(one.Id, far.Id).Say(2));
        Check(rooms[0].All().Say(3));
        foreach (var relay in relays) relay.Settle();
        Assert.Equal([[1], [1, 2], [1], [1], [1]], new[] { one, two, three, far, farther }.Select(static peer => peer.Listener.Numbers));
        Assert.All(relays, static relay => Assert.Empty(relay.Unreadable));
        Assert.Contains("1025 ids", Assert.Throws<ArgumentException>(() => rooms[0][7].AllExcept(Enumerable.Range(0, 1_025).Select(static id => $"{id}"))).Message, StringComparison.Ordinal);
        Assert.Contains("255", Assert.Throws<ArgumentException>(() => rooms[0][7].AllExcept(new string('x', 256))).Message, StringComparison.Ordinal);
        foreach (var peer in new[] { one, two, three, far, farther }) Assert.NotEqual(0, rooms[0].RemoveFromAll(peer) + rooms[1].RemoveFromAll(peer));
    }

    [Fact]
    public void A_method_that_this_server_does_not_have_is_skipped_and_named()
    {
        var (relays, rooms) = Serve(1);
        using var peer = new FakePeer(1);
        rooms[0][7].Add(peer);
        var other = new GroupKind(GroupMethods.Of<IBell>(), new GroupCounters("test"), FanOut.OfProcess) { Relay = relays[0] };
        Check(new MuxGroups<int, IBell>(other, (Func<int, string>)(static key => $"room {key}"))[7].All.Ring());
        relays[0].Settle();
        Assert.Equal($"{Room}: it calls test.Bell/Ring, which is no one-way method of test.Heard here.", Assert.Single(relays[0].Unreadable));
        rooms[0][7].Remove(peer);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Groups_of_a_backplane_call_the_members_of_all_its_servers()
    {
        var hub = new MemoryHub();
        var backplanes = new[] { new MemoryBackplane(hub), new MemoryBackplane(hub) };
        var rooms = backplanes.Select(backplane => new MuxGroups<string, IHeard>(new MuxGroupOptions { IsShared = true, Backplane = backplane })).ToArray();
        var all = backplanes.Select(backplane => new MuxGroup<IHeard>(new MuxGroupOptions { IsShared = true, Backplane = backplane })).ToArray();
        using FakePeer here = new(1), there = new(2);
        rooms[0]["lobby"].Add(here);
        rooms[1]["lobby"].Add(there);
        all[1].Add(there);
        await rooms[0]["lobby"].Except(here).Say(1);
        await rooms[1]["lobby"].All.Say(2);
        await all[0].All.Say(3);
        foreach (var backplane in backplanes) backplane.Settle();
        foreach (var backplane in backplanes) backplane.Settle();
        Assert.Equal([2], here.Listener.Numbers);
        Assert.Equal([1, 2, 3], there.Listener.Numbers.Order());
        backplanes[0].Interrupt();
        await rooms[0]["lobby"].All.Say(4);
        backplanes[0].Heal();
        await rooms[0]["lobby"].All.Say(5);
        foreach (var backplane in backplanes) backplane.Settle();
        foreach (var backplane in backplanes) backplane.Settle();
        Assert.Equal([2, 4, 5], here.Listener.Numbers);
        Assert.DoesNotContain(4, there.Listener.Numbers);
        Assert.Contains(5, there.Listener.Numbers);
        rooms[0].RemoveFromAll(here);
        rooms[1].RemoveFromAll(there);
        all[1].Remove(there);
        Assert.All(backplanes, backplane => Assert.Equal(0, backplane.Subscriptions));
        Assert.Contains("IsShared", Assert.Throws<ArgumentException>(() => new MuxGroup<IHeard>(new MuxGroupOptions { IsShared = true })).Message, StringComparison.Ordinal);
        var nameless = new MuxGroupOptions { IsShared = true, Backplane = backplanes[0] };
        Assert.Contains("Groups with keys of System.DateTime", Assert.Throws<ArgumentException>(() => new MuxGroups<DateTime, IHeard>(nameless)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_key_without_a_name_joins_nobody_and_leaves_nothing()
    {
        var kind = GroupKind.Of<IHeard>("test", meters: null) with { Relay = new MemoryRelay(_subscribers) };
        var sut = new MuxGroups<int, IHeard>(kind, (Func<int, string>)(static _ => throw new ArgumentException("no name")));
        using var peer = new FakePeer(1);
        Assert.Throws<ArgumentException>(() => sut[1].Add(peer));
        Assert.Equal(new MuxGroupStatistics(0, 0, 0, 0, 0), sut.GetStatistics());
    }

    private static void Check(ValueTask call) => Assert.True(call.IsCompletedSuccessfully);

    private (MemoryRelay[] Relays, MuxGroups<int, IHeard>[] Rooms) Serve(int count)
    {
        _subscribers.Clear();
        var relays = Enumerable.Range(0, count).Select(_ => new MemoryRelay(_subscribers)).ToArray();
        return (relays, [.. relays.Select(relay => new MuxGroups<int, IHeard>(
            GroupKind.Of<IHeard>("test", meters: null) with { Relay = relay, Origin = (ulong)Random.Shared.NextInt64() },
            (Func<int, string>)(static key => string.Create(CultureInfo.InvariantCulture, $"room {key}"))))]);
    }
}
