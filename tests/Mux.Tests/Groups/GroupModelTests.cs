using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Groups;

/// <summary>Random steps against a model: the members of each group, and what each has heard.</summary>
public sealed class GroupModelTests : EndToEndTests
{
    private const int Rooms = 5;

    [Fact]
    public void Who_is_in_a_room_hears_what_is_said_there_and_nothing_else() => Seeds.ForEach(200, seed =>
    {
        const int Steps = 400;
        var random = new Random(seed);
        var sut = new MuxGroups<int, IHeard>();
        var handles = Enumerable.Range(0, Rooms).Select(room => sut[room]).ToArray(); // of before the first member came
        var peers = new List<(FakePeer Peer, HashSet<int> Rooms, List<int> Heard)>();
        for (int step = 0; step < Steps; step++)
        {
            int room = random.Next(Rooms);
            var group = random.Next(2) == 0 ? handles[room] : sut[room];
            if (peers.Count == 0 || (peers.Count < 12 && random.Next(10) == 0)) peers.Add((new FakePeer(step), [], []));
            var (peer, rooms, heard) = peers[random.Next(peers.Count)];
            switch (random.Next(8))
            {
                case 0 or 1:
                    Assert.Equal(rooms.Add(room), group.Add(peer));
                    break;
                case 2:
                    Assert.Equal(rooms.Remove(room), group.Remove(peer));
                    break;
                case 3 when random.Next(4) == 0:
                    Assert.Equal(rooms.Count, sut.RemoveFromAll(peer));
                    rooms.Clear();
                    break;
                case 4 when random.Next(4) == 0:
                    peer.Close();
                    Assert.False(group.Add(peer));
                    Assert.Equal(heard, peer.Listener.Numbers);
                    peers.RemoveAll(entry => entry.Peer == peer);
                    peer.Dispose();
                    break;
                case 5:
                    Check(group.Except(peer).Say(step));
                    foreach (var entry in peers.Where(entry => entry.Rooms.Contains(room) && entry.Peer != peer)) entry.Heard.Add(step);
                    break;
                default:
                    Check(group.All.Say(step));
                    foreach (var entry in peers.Where(entry => entry.Rooms.Contains(room))) entry.Heard.Add(step);
                    break;
            }

            Assert.Equal(peers.Count(entry => entry.Rooms.Contains(room)), sut[room].Count);
            Assert.Equal(peers.Sum(entry => entry.Rooms.Count), sut.GetStatistics().Members);
            Assert.Equal(peers.SelectMany(entry => entry.Rooms).Distinct().Count(), sut.GetStatistics().Groups);
        }

        foreach (var (peer, rooms, heard) in peers)
        {
            Assert.Equal(heard, peer.Listener.Numbers);
            Assert.Equal(rooms.Order(), Enumerable.Range(0, Rooms).Where(room => handles[room].Contains(peer) && sut[room].Any(member => member == peer)));
            peer.Dispose();
        }

        Assert.Equal(0, sut.GetStatistics().Missed);
    });

    [Fact]
    public async Task Threads_that_join_and_leave_the_same_rooms_lose_no_member_and_no_room()
    {
        const int Threads = 8, Steps = 5_000;
        int seed = TestSeed.Next();
        var sut = new MuxGroups<int, IHeard>();
        var peers = Enumerable.Range(0, Threads).Select(number => new FakePeer(number)).ToArray();
        await Parallel.ForAsync(0, Threads, (thread, _) =>
        {
            var random = new Random(seed + thread);
            for (int step = 0; step < Steps; step++)
            {
                var room = sut[random.Next(2)];
                Assert.True(room.Add(peers[thread]));
                Assert.True(room.Contains(peers[thread]));
                Assert.True(room.Remove(peers[thread]));
            }

            return ValueTask.CompletedTask;
        }).Within("the threads");
        Assert.Equal(new MuxGroupStatistics(0, 0, 0, 0, 0), sut.GetStatistics());
        Assert.All(peers, peer => Assert.Equal(0, sut.RemoveFromAll(peer)));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Clients_hear_a_part_of_what_is_said_in_order_and_all_that_is_said_while_they_are_in()
    {
        const int Clients = 12, Steps = 3_000, MostAhead = 500; // fewer than may wait for their turn at a client
        int seed = TestSeed.Next();
        var random = new Random(seed);
        var audience = await Audience.GatherAsync(Begin(TransportKind.InMemory), Clients);
        var sut = new MuxGroup<IHeard>();
        var expected = audience.Seats.ToDictionary(seat => seat.Peer, _ => new List<int>());
        var gone = new HashSet<MuxPeer>();
        for (int step = 0; step < Steps; step++)
        {
            var (peer, _, channel) = audience.Seats[random.Next(Clients)];
            switch (random.Next(40))
            {
                case < 6:
                    Assert.Equal(!gone.Contains(peer) && !sut.Contains(peer), sut.Add(peer));
                    break;
                case < 9:
                    sut.Remove(peer);
                    break;
                case 9 when gone.Count < Clients / 3 && random.Next(10) == 0:
                    await channel.DisposeAsync();
                    await Eventually.Holds(() => peer.Closed.IsCancellationRequested && !sut.Contains(peer), "the end of a client");
                    gone.Add(peer);
                    break;
                default:
                    await sut.All.Say(step);
                    foreach (var member in sut) expected[member].Add(step);
                    break;
            }

            if (step % MostAhead == 0) await HearAllAsync();
        }

        await HearAllAsync();
        foreach (var (peer, listener, _) in audience.Seats)
        {
            var heard = listener.Numbers;
            Assert.Equal(expected[peer].Take(heard.Length), heard); // one that has gone may have missed the last ones
        }

        Assert.Equal(expected.Values.Sum(numbers => numbers.Count), sut.GetStatistics().Delivered);
        Assert.Equal(0, sut.GetStatistics().Missed);

        async Task HearAllAsync()
        {
            foreach (var (peer, listener, _) in audience.Seats.Where(seat => !gone.Contains(seat.Peer))) await listener.Heard.ReachAsync(expected[peer].Count);
        }
    }

    private static void Check(ValueTask call) => Assert.True(call.IsCompletedSuccessfully);
}
