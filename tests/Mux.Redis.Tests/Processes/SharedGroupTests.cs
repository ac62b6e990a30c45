using Mux.TestSupport.EndToEnd;
using StackExchange.Redis;

namespace Mux.Redis.Tests.Processes;

/// <summary>Groups of two servers in processes of their own, over one Redis, or over one that is not there.</summary>
public sealed class SharedGroupTests
{
    private const string Room = "lobby";

    [Fact]
    public async Task Members_at_two_servers_hear_all_once_and_in_order_and_one_goes_on_when_the_other_is_killed()
    {
        const int Rounds = 20, Each = 50;
        await using var redis = await RedisProcess.StartAsync();
        await using var admin = await redis.ConnectAsync();
        await using var one = await RoomsProcess.StartAsync(redis.Address);
        await using var two = await RoomsProcess.StartAsync(redis.Address);
        await one.Rooms.Enter(Room);
        await two.Rooms.Enter(Room);
        await MeetAsync(one, two, 1);
        await MeetAsync(two, one, 2);

        for (int round = 0; round < Rounds; round++)
        {
            int first = 1_000 + (round * Each);
            await Task.WhenAll(one.Rooms.Say(Room, 1, first, Each).AsTask(), two.Rooms.Say(Room, 2, first, Each).AsTask());
            foreach (var listener in (RoomsProcess[])[one, two])
            {
                for (int speaker = 1; speaker <= 2; speaker++) await listener.HearsAsync(speaker, first + Each - 1);
            }
        }

        await one.Rooms.Whisper(await two.Rooms.Name(), 1, -1);
        await two.HearsAsync(1, -1);
        Assert.DoesNotContain(-1, one.HeardOf(1));

        foreach (var listener in (RoomsProcess[])[one, two])
        {
            for (int speaker = 1; speaker <= 2; speaker++)
                Assert.Equal(Enumerable.Range(1_000, Rounds * Each), listener.HeardOf(speaker).Where(static number => number >= 1_000));
        }

        await two.KillAsync();
        var server = admin.GetServer(redis.Address);
        await Eventually.Holds(() => server.SubscriptionSubscriberCount(server.SubscriptionChannels(RedisChannel.Pattern("mux:*lobby*")).Single()) == 1, "the end of a subscription");
        await one.Rooms.Say(Room, 3, 0, Each);
        await one.HearsAsync(3, Each - 1);
        Assert.Equal(Enumerable.Range(0, Each), one.HeardOf(3));
        Assert.Empty(server.Keys(pattern: "*lobby*"));
    }

    [Fact]
    public async Task A_server_whose_Redis_has_a_wrong_address_starts_and_calls_its_own_members()
    {
        foreach (string wrong in (string[])["127.0.0.1:1", "no-such-host.invalid:6379"])
        {
            await using var sut = await RoomsProcess.StartAsync(wrong);
            await sut.Rooms.Enter(Room);
            await sut.Rooms.Say(Room, 1, 0, 100);
            await sut.HearsAsync(1, 99);
            Assert.Equal(Enumerable.Range(0, 100), sut.HeardOf(1));
        }
    }

    /// <summary>Speaks until the member at the other server hears it: its subscription is in force.</summary>
    private static async Task MeetAsync(RoomsProcess from, RoomsProcess to, int speaker)
    {
        for (int number = -1_000_000; to.HeardOf(speaker).Length == 0; number++)
        {
            await from.Rooms.Say(Room, speaker, number, 1);
            await from.HearsAsync(speaker, number);
        }

        await from.Rooms.Say(Room, speaker, 999, 1);
        await to.HearsAsync(speaker, 999);
    }
}
