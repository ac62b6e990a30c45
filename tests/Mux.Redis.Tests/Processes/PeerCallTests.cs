using System.Collections.Concurrent;
using System.Security.Cryptography;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;

namespace Mux.Redis.Tests.Processes;

/// <summary>Calls to users who are connected to another server, over Redis.</summary>
public sealed class PeerCallTests
{
    [Fact]
    public async Task A_user_is_called_at_all_servers_and_what_Redis_misses_meanwhile_is_told()
    {
        const int Calls = 1_000;
        var key = new SharedKey("ann", RandomNumberGenerator.GetBytes(32));
        await using var redis = await RedisProcess.StartAsync();
        await using var here = new Place(redis, key);
        await using var there = new Place(redis, key);
        foreach (var place in (Place[])[here, there])
        {
            await place.Channel.ConnectAsync(TestContext.Current.CancellationToken);
            await Eventually.Holds(() => place.Server.Peers.OfUser("ann").Count == 1, "the server to know its client");
        }

        for (int number = 0; there.Guest.Numbers.IsEmpty; number--)
        {
            await here.Peers.OfUser("ann").Heard(1, number); // until the other server has subscribed
            await Eventually.Holds(() => here.Guest.Numbers.Contains(number), "the call at its own server");
        }

        int told = 0;
        for (int number = 1; number <= Calls; number++)
        {
            var delivery = await here.Peers.SendAsync(to => to.OfUser("ann").Heard(1, number), TestContext.Current.CancellationToken);
            Assert.Equal(1, delivery.Reached);
            if (delivery.MissedByOtherServers) told++;
        }

        await Eventually.Holds(() => here.Guest.Numbers.Count(static number => number > 0) == Calls, "all calls at their own server");
        await Eventually.Holds(() => there.Guest.Numbers.Count(static number => number > 0) == Calls - told, "all calls at the other server that Redis has taken");
        Assert.Equal(there.Guest.Numbers.Where(static number => number > 0).Order(), there.Guest.Numbers.Where(static number => number > 0));

        string id = there.Server.Peers.OfUser("ann").Single().Id;
        await here.Peers.WithId(id).Heard(1, Calls + 1);
        await Eventually.Holds(() => there.Guest.Numbers.Contains(Calls + 1), "the call by id");
        Assert.DoesNotContain(Calls + 1, here.Guest.Numbers);
    }

    private sealed class Place : IAsyncDisposable
    {
        public Place(RedisProcess redis, SharedKey key)
        {
            Backplane = new RedisBackplane(new MuxRedisOptions { Configuration = redis.Address, Timeout = TimeSpan.FromSeconds(20) }); // no loaded machine is an interruption
            var options = new MuxServerOptions { Address = "mux://127.0.0.1:0", Identity = new MuxIdentityOptions() };
            options.Identity.SharedKeys.Add(key);
            Server = new MuxServer(options);
            Peers = new MuxPeers<IGuest>(Server.Peers, new MuxGroupOptions { IsShared = true, Backplane = Backplane });
            Server.Start();
            Channel = MuxChannel.Create(new MuxChannelOptions
            {
                Address = Server.Address.ToString(),
                Credentials = new SharedKeyCredentials(key),
                MaxConnections = 1,
            }.AddService<IGuest>(Guest));
        }

        public RedisBackplane Backplane { get; }

        public MuxServer Server { get; }

        public MuxPeers<IGuest> Peers { get; }

        public MuxChannel Channel { get; }

        public Hearer Guest { get; } = new();

        public async ValueTask DisposeAsync()
        {
            await Channel.DisposeAsync();
            await Server.DisposeAsync();
            await Backplane.DisposeAsync();
        }
    }

    private sealed class Hearer : IGuest
    {
        public ConcurrentQueue<int> Numbers { get; } = [];

        public ValueTask Heard(int speaker, int number)
        {
            Numbers.Enqueue(number);
            return default;
        }
    }
}
