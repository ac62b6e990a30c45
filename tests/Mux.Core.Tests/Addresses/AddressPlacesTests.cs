using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Addresses;

public sealed class AddressPlacesTests
{
    private const long Second = 1_000_000;

    [Fact]
    public void One_address_has_its_part_and_others_have_the_rest()
    {
        var places = new AddressPlaces<string>(5, 3);
        var first = Enter(places, "10.0.0.1", "1a");
        for (int i = 0; i < 2; i++) Enter(places, "10.0.0.1", "more");
        Assert.Equal(PlaceLimit.OfAddress, Refusal(places, "10.0.0.1"));
        Enter(places, "10.0.0.2", "2");
        Enter(places, "10.0.0.3", "3");

        Assert.True(places.Leave(first));
        Assert.False(places.Leave(first));
        Enter(places, "10.0.0.1", "next");
        Assert.Equal(5, places.Count);
    }

    [Fact]
    public void Peers_without_an_address_share_the_whole()
    {
        var places = new AddressPlaces<string>(5, 1);
        for (int i = 0; i < 5; i++) Enter(places, string.Empty, "peer");
        Assert.Equal(PlaceLimit.Total, Refusal(places, string.Empty));
    }

    [Fact]
    public void A_newcomer_takes_the_oldest_place_of_the_address_that_has_most()
    {
        var places = new AddressPlaces<string>(5, 3);
        Enter(places, "10.0.0.1", "1a");
        Enter(places, "10.0.0.2", "2a");
        Enter(places, "10.0.0.2", "2b");
        Enter(places, "10.0.0.2", "2c");
        Enter(places, "10.0.0.1", "1b");

        var place = places.TryEnter("10.0.0.3", "3a", now: 1, out var reached, out var displaced);

        Assert.Equal((true, PlaceLimit.Total, "2a", 5), (place is not null, reached, displaced, places.Count));
        Assert.NotNull(places.TryEnter("10.0.0.4", "4a", now: 1, out _, out displaced));
        Assert.Equal("1a", displaced); // both have two, and the first has had them for longer
    }

    [Fact]
    public void Handshakes_of_addresses_with_as_many_places_have_a_second()
    {
        var places = new AddressPlaces<string>(3, 3);
        foreach (var host in new[] { "10.0.0.1", "10.0.0.2", "10.0.0.3" }) Enter(places, host, host);

        Assert.Null(places.TryEnter("10.0.0.4", "4", now: Second - 1, out var reached, out var displaced));
        Assert.Equal((PlaceLimit.Total, null), (reached, displaced));
        Assert.NotNull(places.TryEnter("10.0.0.4", "4", now: Second, out _, out displaced));
        Assert.Equal("10.0.0.1", displaced);
    }

    [Fact]
    public void A_full_address_gives_its_own_oldest_place_after_a_second_and_none_of_others()
    {
        var places = new AddressPlaces<string>(10, 2);
        for (int i = 0; i < 2; i++) Enter(places, "10.0.0.1", $"1{i}");
        Enter(places, "10.0.0.2", "2");

        Assert.Null(places.TryEnter("10.0.0.1", "more", now: Second - 1, out var reached, out _));
        Assert.Equal(PlaceLimit.OfAddress, reached);
        Assert.NotNull(places.TryEnter("10.0.0.1", "more", now: Second, out reached, out var displaced));
        Assert.Equal((PlaceLimit.OfAddress, "10", 3), (reached, displaced, places.Count));
    }

    [Fact]
    public void A_good_client_always_has_a_place_beside_four_addresses_that_take_all_they_can_get()
    {
        var places = new AddressPlaces<string>(256, 64);
        long now = 0;
        for (int i = 0; i < 5_000; i++)
        {
            places.TryEnter($"192.0.2.{i % 4}", "silent", now += 100, out _, out _);
            if (i % 50 != 49) continue;
            var good = places.TryEnter("10.0.0.1", "good", now, out _, out _);
            for (int more = 0; more < 400; more++)
            {
                places.TryEnter($"192.0.2.{more % 4}", "silent", now += 100, out _, out var displaced);
                Assert.NotEqual("good", displaced);
            }

            Assert.True(places.Leave(good!));
        }

        Assert.InRange(places.Count, 250, 256);
    }

    [Fact]
    public void Whatever_enters_and_leaves_the_limits_hold_and_each_place_is_left_or_lost_once() => Seeds.ForEach(30, seed =>
    {
        var random = new Random(seed);
        var places = new AddressPlaces<object>(random.Next(1, 40), random.Next(1, 20));
        var held = new Dictionary<object, (AddressPlaces<object>.Place Place, string Host)>();
        long now = 0;
        for (int i = 0; i < 5_000; i++)
        {
            now += random.Next(200_000);
            if (random.Next(3) > 0)
            {
                var host = random.Next(10) == 0 ? string.Empty : $"10.0.0.{random.Next(8)}";
                var holder = new object();
                var place = places.TryEnter(host, holder, now, out _, out var displaced);
                if (displaced is not null)
                {
                    Assert.False(places.Leave(held[displaced].Place));
                    held.Remove(displaced);
                }

                if (place is not null) held.Add(holder, (place, host));
            }
            else if (held.Count > 0)
            {
                var (holder, (place, _)) = held.ElementAt(random.Next(held.Count));
                Assert.True(places.Leave(place));
                held.Remove(holder);
            }

            Assert.Equal(held.Count, places.Count);
            Assert.InRange(places.Count, 0, places.Limit);
            Assert.All(held.Values.Where(entry => entry.Host.Length > 0).GroupBy(entry => entry.Host), group => Assert.InRange(group.Count(), 1, places.PerAddress));
        }
    });

    [Theory]
    [InlineData("127.0.0.1:50312", "127.0.0.1")]
    [InlineData("[::ffff:10.0.0.7]:50312", "10.0.0.7")]
    [InlineData("[2001:db8:1:2:3:4:5:6]:50312", "20010DB800010002")]
    [InlineData("memory", "")]
    [InlineData("", "")]
    public void The_port_of_a_peer_does_not_count(string remoteAddress, string host) => Assert.Equal(host, PeerHost.Of(remoteAddress));

    [Theory]
    [InlineData("127.0.0.1:50312", true)]
    [InlineData("[::1]:50312", true)]
    [InlineData("[::ffff:127.0.0.1]:50312", true)]
    [InlineData("memory", true)]
    [InlineData("", true)]
    [InlineData("10.0.0.7:50312", false)]
    [InlineData("[2001:db8:1:2:3:4:5:6]:50312", false)]
    public void Peers_on_this_machine_have_no_address_that_counts(string remoteAddress, bool isLocal) => Assert.Equal(isLocal, PeerHost.IsLocal(remoteAddress));

    private static AddressPlaces<string>.Place Enter(AddressPlaces<string> places, string host, string holder)
    {
        var place = places.TryEnter(host, holder, now: 0, out var reached, out var displaced);
        Assert.Equal((null, null), (reached, displaced));
        return place!;
    }

    private static PlaceLimit? Refusal(AddressPlaces<string> places, string host)
    {
        Assert.Null(places.TryEnter(host, "refused", now: 0, out var reached, out var displaced));
        Assert.Null(displaced);
        return reached;
    }
}
