using Mux.Engine;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

public sealed class HandlerLimitTests
{
    private int _refused;

    [Fact]
    public void Connections_together_leave_as_many_for_the_next_as_each_of_them_has()
    {
        var limit = new HandlerLimit(1_000, _ => _refused++);
        var peers = Enumerable.Range(0, 7).Select(_ => new Peer(limit)).ToList();
        for (int i = 0; i < 2_000; i++) peers[i % peers.Count].TryOpen(i);
        Assert.All(peers, peer => Assert.InRange(peer.Open, 120, 126)); // an eighth of all
        Assert.Equal(2_000, peers.Sum(peer => peer.Open) + _refused);
        var next = new Peer(limit);
        for (int i = 0; i < 30; i++) Assert.True(next.TryOpen(10_000));
    }

    [Fact]
    public void What_one_connection_no_longer_uses_is_anothers_at_the_next_count()
    {
        var limit = new HandlerLimit(100, _ => _refused++);
        var (first, second) = (new Peer(limit), new Peer(limit));
        for (int i = 0; i < 50; i++) Assert.True(first.TryOpen(0));
        Assert.False(first.TryOpen(0));
        while (second.TryOpen(0)) Assert.InRange(second.Open, 1, 25);
        int before = second.Open;
        first.Open = 0;
        Assert.False(second.TryOpen(999)); // counted within the last millisecond
        while (second.TryOpen(1_000)) Assert.InRange(second.Open, 1, 50);
        Assert.Equal((true, 50), (before < 50, second.Open));
    }

    [Theory]
    [InlineData(25, 110)]
    [InlineData(100, 60)]
    [InlineData(1_000, 6)]
    [InlineData(9_000, 1)]
    public void A_good_client_beside_any_number_that_take_all_they_can_get_is_served(int hogs, int served)
    {
        var limit = new HandlerLimit(10_000, _ => _refused++);
        var peers = Enumerable.Range(0, hogs).Select(_ => new Peer(limit)).ToList();
        var good = new Peer(limit);
        long now = 0;
        for (int round = 0; round < 400; round++)
        {
            now += 2_000;
            foreach (var peer in peers) peer.TryOpen(now);
        }

        for (int round = 0; round < 100; round++)
        {
            for (int i = 0; i < served; i++) Assert.True(good.TryOpen(now += 2_000), $"call {i} of round {round}");
            good.Open = 0;
            foreach (var peer in peers) peer.TryOpen(now); // and they would take what is free now
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("10.0.0.1")]
    public void Newcomers_are_served_next_to_connections_of_one_address_that_take_one_after_another_all_they_can_get(string host)
    {
        var limit = new HandlerLimit(10_000, _ => _refused++);
        long now = 0;
        for (int i = 0; i < 100; i++)
        {
            var hog = new Peer(limit, host);
            while (hog.TryOpen(now += 2_000)) Assert.InRange(hog.Open, 1, 5_000);
        }

        for (int i = 0; i < 50; i++) // of the address of the attack
        {
            var newcomer = new Peer(limit, host);
            Assert.True(newcomer.TryOpen(now), $"newcomer {i}");
            newcomer.Open = 0;
            newcomer.Share.Leave();
        }

        for (int i = 0; i < 2_000; i++) new Peer(limit, host).TryOpen(now += 2_000); // each with one request
        Assert.False(new Peer(limit, host).TryOpen(now += 2_000));
        for (int i = 0; i < 50; i++) Assert.True(new Peer(limit, $"10.0.1.{i}").TryOpen(now), $"newcomer of another address {i}");
    }

    [Fact]
    public void A_newcomer_is_served_next_to_200_connections_of_its_address_that_take_one_after_another_all_that_the_address_may_have()
    {
        var limit = new HandlerLimit(10_000, _ => _refused++, perAddress: 5_000);
        long now = 0;
        var hogs = new List<Peer>();
        for (int i = 0; i < 200; i++)
        {
            var hog = new Peer(limit, "10.0.0.1");
            while (hog.TryOpen(now += 2_000)) Assert.InRange(hog.Open, 1, 5_000);
            hogs.Add(hog);
        }

        Assert.InRange(hogs.Sum(peer => peer.Open), 5_000, 6_000);
        Assert.Equal(hogs.Select(peer => peer.Open).OrderDescending(), hogs.Select(peer => peer.Open)); // what has more was refused first
        for (int i = 0; i < 50; i++)
        {
            var newcomer = new Peer(limit, "10.0.0.1");
            Assert.True(newcomer.TryOpen(now), $"newcomer {i}");
            newcomer.Open = 0;
            newcomer.Share.Leave();
        }

        var other = new Peer(limit, "10.0.0.2");
        for (int i = 0; i < 1_500; i++) Assert.True(other.TryOpen(now += 2_000), $"call {i} of another address");
        var singles = Enumerable.Range(0, 3_000).Select(_ => new Peer(limit, "10.0.0.1")).ToList();
        foreach (var single in singles) single.TryOpen(now += 2_000);
        Assert.Equal(6_250, hogs.Concat(singles).Sum(peer => peer.Open)); // and no more: the rest is for other addresses
    }

    [Fact]
    public void The_connections_of_one_address_have_the_part_of_one_and_those_without_an_address_do_not_count()
    {
        var limit = new HandlerLimit(10_000, _ => _refused++, perAddress: 5_000);
        var hogs = Enumerable.Range(0, 2_000).Select(_ => new Peer(limit, "10.0.0.1")).ToList();
        long now = 0;
        for (int round = 0; round < 10; round++)
        {
            foreach (var peer in hogs) peer.TryOpen(now += 2_000);
        }

        Assert.InRange(hogs.Sum(peer => peer.Open), 5_000, 5_000 + 5_000 / 4 / 3); // the third request of each is the last that goes above
        var good = new Peer(limit, "10.0.0.2");
        for (int i = 0; i < 2_000; i++) Assert.True(good.TryOpen(now));

        good.Share.Leave();
        foreach (var peer in hogs) peer.Share.Leave();
        var next = new Peer(limit, "10.0.0.1");
        for (int i = 0; i < 4_000; i++) Assert.True(next.TryOpen(now));
        next.Share.Leave();
        var local = Enumerable.Range(0, 10).Select(_ => new Peer(limit)).ToList();
        for (int i = 0; i < 800; i++) Assert.All(local, peer => Assert.True(peer.TryOpen(now)));
    }

    [Theory]
    [InlineData(300)]
    [InlineData(1_000)]
    [InlineData(5_000)]
    public void Many_connections_with_little_each_are_not_refused(int count)
    {
        var limit = new HandlerLimit(10_000, _ => _refused++);
        var peers = Enumerable.Range(0, count).Select(_ => new Peer(limit)).ToList();
        for (int round = 0; round < 10; round++)
        {
            foreach (var peer in peers) Assert.True(peer.TryOpen(0)); // in no time, so that nothing is counted anew
            foreach (var peer in peers) peer.Open--;
        }
    }

    [Fact]
    public void A_connection_that_is_gone_leaves_its_share()
    {
        var limit = new HandlerLimit(100, _ => _refused++);
        var (first, second) = (new Peer(limit), new Peer(limit));
        for (int i = 0; i < 50; i++) Assert.True(first.TryOpen(0));
        first.Share.Leave();
        first.Share.Leave();
        for (int i = 0; i < 50; i++) Assert.True(second.TryOpen(0));
    }

    [Fact]
    public void Whatever_opens_and_ends_the_limit_holds_and_nobody_is_refused_who_leaves_as_much_for_others() => Seeds.ForEach(30, seed =>
    {
        var random = new Random(seed);
        int most = random.Next(1, 300);
        var limit = new HandlerLimit(most, _ => { });
        var peers = Enumerable.Range(0, random.Next(1, 20)).Select(_ => new Peer(limit)).ToList();
        long now = 0;
        for (int i = 0; i < 5_000; i++)
        {
            var peer = peers[random.Next(peers.Count)];
            now += random.Next(0, 3_000);
            if (random.Next(2) == 0) peer.Open = random.Next(peer.Open + 1);
            int open = peers.Sum(other => other.Open);
            if (!peer.TryOpen(now += 10_000)) Assert.True(most - open - 1 < (peer.Open == 0 ? most / 32 / 2 : Math.Max(peer.Open + 1, most / 32 + Math.Min(most / 16, 4 * (peer.Open + 1)))));
            Assert.InRange(peers.Sum(other => other.Open), 0, most);
        }
    });

    [Fact]
    public void A_server_without_a_limit_has_no_shares() => Assert.Null(new HandlerLimit(BudgetLimits.Unbounded, _ => { }).Join(new Peer(new HandlerLimit(1, _ => { }))));

    private sealed class Peer : ICountsRequests
    {
        public Peer(HandlerLimit limit, string host = "") => Share = limit.Join(this, host)!;

        public int RunningCount => Open;

        public HandlerShare Share { get; }

        public int Open { get; set; }

        public bool TryOpen(long now)
        {
            Open++;
            if (Share.TryResume(Open, now)) return true;
            Share.OnRefused();
            Open--; // it is refused, which answers it
            return false;
        }
    }
}
