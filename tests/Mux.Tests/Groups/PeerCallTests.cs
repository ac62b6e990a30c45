using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.Backplanes;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Peers;

namespace Mux.Tests.Groups;

/// <summary>Calls to clients by the name of their user and by their id, at whichever server they are.</summary>
public sealed class PeerCallTests : EndToEndTests
{
    private static readonly Dictionary<string, SharedKey> s_keys =
        new[] { "ann", "bob" }.ToDictionary(static name => name, static name => new SharedKey(name, RandomNumberGenerator.GetBytes(32)));

    private readonly MemoryHub _hub = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Users_and_ids_are_called_at_all_servers_and_only_they(TransportKind kind)
    {
        var scene = Begin(kind);
        var servers = new[] { new Place(this, scene), new Place(this, scene) };
        var (here, there, other, nobody) = (await servers[0].SeatAsync("ann"), await servers[1].SeatAsync("ann"), await servers[1].SeatAsync("bob"), await servers[1].SeatAsync(null));
        await SettleAsync(servers, 1 + 1, 1 + 2);

        await servers[0].Peers.OfUser("ann").Say(1);
        await servers[1].Peers.OfUser("ann").Say(2);
        await servers[0].Peers.OfUser("ann", "bob", "bob").Say(3);
        await servers[0].Peers.WithId(nobody.Peer.Id).Say(4);
        await servers[0].Peers.WithId(here.Peer.Id, other.Peer.Id, "0123456789abcdef-7").Say(5);
        byte[] picture = RandomNumberGenerator.GetBytes(100_000);
        await servers[0].Peers.OfUser("bob").Show(6, picture);
        await servers[0].Peers.OfUser("carl").Say(7);
        foreach (var server in servers) server.Backplane.Settle();
        foreach (var server in servers) server.Backplane.Settle();

        await HearsAsync(here, 1, 2, 3, 5);
        await HearsAsync(there, 1, 2, 3);
        await HearsAsync(other, 3, 5, 6);
        await HearsAsync(nobody, 4);
        Assert.Equal(picture, Assert.Single(other.Listener.Pictures));
        Assert.Equal((7, 7), (servers.Sum(static one => one.Peers.GetStatistics().Calls), servers[1].Peers.GetStatistics().Delivered));
        Assert.All(servers, static one => Assert.Equal(0, one.Backplane.Skipped + one.Peers.GetStatistics().Missed));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_learns_what_its_own_server_and_whether_others_get()
    {
        var scene = Begin(TransportKind.InMemory);
        var servers = new[] { new Place(this, scene), new Place(this, scene) };
        var (here, there) = (await servers[0].SeatAsync("ann"), await servers[1].SeatAsync("ann"));
        await SettleAsync(servers, 1 + 1, 1 + 1);
        var token = TestContext.Current.CancellationToken;

        Assert.Equal((1, 0, false), Of(await servers[0].Peers.SendAsync(static to => to.OfUser("ann").Say(1), token)));
        Assert.Equal((0, 0, false), Of(await servers[0].Peers.SendAsync(to => to.WithId(there.Peer.Id).Say(2), token)));
        servers[0].Backplane.Settle();
        servers[1].Backplane.Settle();
        servers[0].Backplane.Interrupt();
        Assert.Equal((1, 0, true), Of(await servers[0].Peers.SendAsync(static to => to.OfUser("ann").Say(3), token)));
        Assert.Equal((1, 0, false), Of(await servers[0].Peers.SendAsync(to => to.WithId(here.Peer.Id).Say(4), token))); // no other server has to know
        Assert.Equal((0, 0, true), Of(await servers[0].Peers.SendAsync(to => to.WithId(there.Peer.Id).Say(5), token)));
        var room = new MuxGroup<IHeard>(new MuxGroupOptions { IsShared = true, Backplane = servers[0].Backplane });
        Assert.True((await room.SendAsync(static all => all.Say(6), cancellationToken: token)).MissedByOtherServers);
        servers[0].Backplane.Heal();
        Assert.False((await room.SendAsync(static all => all.Say(7), cancellationToken: token)).MissedByOtherServers);

        await HearsAsync(here, 1, 3, 4);
        await HearsAsync(there, 1, 2);
        Assert.Equal((1, 1, false), Of(await servers[0].Peers.SendAsync(async to => await Task.WhenAll(to.OfUser("ann").Say(8).AsTask(), DeafAsync(to)), token)));

        static (int Reached, int Missed, bool Elsewhere) Of(MuxGroupDelivery delivery) => (delivery.Reached, delivery.Missed.Count, delivery.MissedByOtherServers);

        async Task DeafAsync(MuxPeers<IHeard> to)
        {
            var deaf = scene.CreateChannel(servers[0].Server, static options => options.Credentials = new SharedKeyCredentials(s_keys["bob"]));
            await deaf.CreateProxy<IBounce>().Bounce(0, cancellationToken: token);
            await to.WithId(servers[0].AtServer.LastCaller!.Id).Say(9); // it serves nothing
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Users_who_come_and_go_leave_no_subscription()
    {
        var scene = Begin(TransportKind.InMemory);
        var place = new Place(this, scene);
        for (int round = 0; round < 20; round++)
        {
            var seats = new List<Seat>();
            for (int i = 0; i < 6; i++) seats.Add(await place.SeatAsync(i % 3 == 0 ? null : i % 2 == 0 ? "ann" : "bob"));
            await SettleAsync([place], 1 + 2);
            foreach (var seat in seats) await seat.Channel.DisposeAsync();
            await SettleAsync([place], 0);
        }

        Assert.Equal(0, place.Peers.GetStatistics().Members);
    }

    [Fact]
    public async Task Names_and_ids_out_of_range_are_refused()
    {
        var sut = new MuxPeers<IHeard>(new MuxPeers());
        Assert.Contains("expected 1 to 1024", Assert.Throws<ArgumentException>(() => sut.OfUser(new string('n', 1_025))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => sut.OfUser(""));
        Assert.Throws<ArgumentNullException>(() => sut.OfUser("ann", null!));
        Assert.Contains("255", Assert.Throws<ArgumentException>(() => sut.WithId(new string('i', 256))).Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<NotSupportedException>(async () => await sut.OfUser("ann").Ask(1, TestContext.Current.CancellationToken));
        await sut.OfUser("ann").Say(1);
        await sut.WithId("of nobody").Say(1);
        await sut.WithId().Say(1);
    }

    private static async Task HearsAsync(Seat seat, params int[] numbers)
    {
        await seat.Listener.Heard.ReachAsync(numbers.Length);
        Assert.Equal(numbers, seat.Listener.Numbers.Order());
    }

    /// <summary>Waits until each server has as many subscriptions.</summary>
    private static async Task SettleAsync(Place[] places, params int[] subscriptions)
    {
        for (int i = 0; i < places.Length; i++)
        {
            var place = places[i];
            int count = subscriptions[i];
            await Eventually.Holds(() => place.Backplane.Subscriptions == count, () => $"{count} subscriptions; there are {place.Backplane.Subscriptions}");
        }
    }

    private sealed record Seat(MuxPeer Peer, Listener Listener, MuxChannel Channel);

    /// <summary>A server, which calls its clients and those of others.</summary>
    private sealed class Place
    {
        private readonly Scene _scene;

        public Place(PeerCallTests test, Scene scene)
        {
            _scene = scene;
            scene.ExpectedEnds.Add(CloseReason.ConnectionLost); // a client that leaves closes before it has read the calls on their way to it
            Backplane = new MemoryBackplane(test._hub);
            Server = scene.StartServer(server => server.AddService<IBounce>(AtServer), static options =>
            {
                options.Identity = new MuxIdentityOptions { AllowAnonymous = true };
                foreach (var key in s_keys.Values) options.Identity.SharedKeys.Add(key);
            });
            Peers = new MuxPeers<IHeard>(Server.Peers, new MuxGroupOptions { IsShared = true, Backplane = Backplane }, scene.Meters);
        }

        public MemoryBackplane Backplane { get; }

        public MuxServer Server { get; }

        public Bouncer AtServer { get; } = new();

        public MuxPeers<IHeard> Peers { get; }

        public async Task<Seat> SeatAsync(string? user)
        {
            var listener = new Listener();
            var channel = _scene.CreateChannel(Server, options =>
            {
                options.AddService<IHeard>(listener);
                if (user is not null) options.Credentials = new SharedKeyCredentials(s_keys[user]);
            });
            var before = Server.Peers.ToHashSet();
            await channel.ConnectAsync(TestContext.Current.CancellationToken);
            await Eventually.Holds(() => Server.Peers.Count > before.Count, "the server to know its client");
            return new Seat(Server.Peers.Single(peer => !before.Contains(peer)), listener, channel);
        }
    }
}
