using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Groups;

/// <summary>Random steps of clients that join, leave, stall and vanish, against a model: each call is delivered to a member or missed, and nothing is left.</summary>
public sealed class StalledGroupModelTests : EndToEndTests
{
    private const int Rooms = 3, Members = 12, Steps = 400;

    private readonly MuxGroups<int, IHeard> _sut = new(new MuxGroupOptions { MaxQueuedBytes = 0 }); // what has no room at once is missed
    private readonly List<StallingMember> _members = [];
    private long _delivered;
    private long _missed;

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.InMemory)]
    [InlineData(TransportKind.Tcp)]
    public async Task Each_call_is_heard_in_order_or_counted_as_missed_and_who_has_gone_leaves_nothing(TransportKind kind)
    {
        var random = new Random(TestSeed.Next());
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = (await Audience.GatherAsync(scene, 0)).Server;
        for (int i = 0; i < Members; i++) _members.Add(await StallingMember.ConnectAsync(scene, server));
        try
        {
            for (int step = 1; step <= Steps; step++) await StepAsync(random, step, scene, server);
        }
        catch
        {
            _members.ForEach(static member => member.Dispose()); // else the end of the test waits for them
            throw;
        }

        Assert.True(_missed > 0);
        foreach (var member in _members.ToArray()) await VanishAsync(member);
        Assert.Equal(new MuxGroupStatistics(0, _delivered, _missed, 0, 0), _sut.GetStatistics() with { Calls = 0 });
        Assert.All(Enumerable.Range(0, Rooms), room => Assert.Empty(_sut[room]));
    }

    private async Task StepAsync(Random random, int step, Scene scene, MuxServer server)
    {
        int which = random.Next(Members), room = random.Next(Rooms);
        var member = _members[which];
        switch (random.Next(20))
        {
            case < 6:
                Assert.Equal(member.Rooms.Add(room), _sut[room].Add(member.Peer));
                break;
            case < 8:
                Assert.Equal(member.Rooms.Remove(room), _sut[room].Remove(member.Peer));
                break;
            case 8:
                Assert.Equal(member.Rooms.Count, _sut.RemoveFromAll(member.Peer));
                member.Rooms.Clear();
                break;
            case 9 when step % 4 == 0:
                await VanishAsync(member);
                _members[which] = await StallingMember.ConnectAsync(scene, server);
                break;
            case < 12:
                member.Stall();
                break;
            case < 14:
                await member.ResumeAsync();
                break;
            case 14:
                await CallAsync(_sut[room].Except(member.Peer), room, step, except: member);
                break;
            default:
                await CallAsync(_sut[room].All, room, step, except: null);
                break;
        }

        Assert.Equal(Statistics(), _sut.GetStatistics() with { Calls = 0 });
    }

    private async Task CallAsync(IHeard proxy, int room, int number, StallingMember? except)
    {
        await proxy.Say(number);
        foreach (var member in _members.Where(member => member.Rooms.Contains(room) && member != except))
        {
            if (member.Open == StallingMember.Most)
            {
                _missed++;
                continue;
            }

            _delivered++;
            member.Expected.Add(number);
            await member.Client.Arrived.ReachAsync(member.Expected.Count);
            if (member.IsStalled) member.Open++;
            else await member.Client.SettleAsync();
        }
    }

    private async Task VanishAsync(StallingMember member)
    {
        Assert.Equal(member.Expected, member.Heard);
        member.Dispose();
        member.Rooms.Clear();
        await Eventually.Holds(() => member.Peer.Closed.IsCancellationRequested && _sut.GetStatistics().Members == Statistics().Members, "the member to leave");
        Assert.False(_sut[0].Add(member.Peer));
    }

    private MuxGroupStatistics Statistics() => new(
        0, _delivered, _missed, _members.Sum(member => member.Rooms.Count), _members.SelectMany(member => member.Rooms).Distinct().Count());
}
