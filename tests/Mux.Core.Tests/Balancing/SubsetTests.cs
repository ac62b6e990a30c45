using Mux.Client;
using Mux.Discovery;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Balancing;

public sealed class SubsetTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(40, 20, 40)]
    [InlineData(41, 20, 20)]
    [InlineData(1_000, 0, 1_000)]
    [InlineData(0, 20, 0)]
    public void It_limits_the_endpoints_if_there_are_over_twice_as_many(int count, int size, int expected) =>
        Assert.Equal(expected, new Subset("client", size).Select(Endpoints(count)).Count);

    [Fact]
    public void A_client_that_is_limited_stays_so_until_there_are_fewer_than_half_as_many_more()
    {
        var subset = new Subset("client", 20);
        Assert.Equal([20, 20, 30, 40], new[] { 41, 31, 30, 40 }.Select(count => subset.Select(Endpoints(count)).Count));
    }

    [Fact]
    public void It_keeps_the_order_of_the_source_and_does_not_depend_on_it() => Seeds.ForEach(10, seed =>
    {
        var endpoints = Endpoints(100);
        var chosen = new Subset("client", 20).Select(endpoints);
        Assert.Equal(endpoints.Where(chosen.Contains), chosen);
        var shuffled = endpoints.ToArray();
        new Random(seed).Shuffle(shuffled);
        Assert.Equal(chosen.ToHashSet(), new Subset("client", 20).Select(shuffled).ToHashSet());
    });

    [Fact]
    public void When_endpoints_come_and_go_only_those_are_exchanged() => Seeds.ForEach(20, seed =>
    {
        var random = new Random(seed);
        var subset = new Subset($"client {seed}", 20);
        var present = Endpoints(100).ToList();
        var last = subset.Select(present).ToHashSet();
        for (int i = 0; i < 50; i++)
        {
            bool adds = random.Next(2) == 0;
            var changed = adds ? FakeCandidate.EndpointOf(1_000 + i) : present[random.Next(present.Count)];
            if (adds) present.Add(changed);
            else present.Remove(changed);
            var next = subset.Select(present).ToHashSet();
            Assert.Equal(20, next.Count);
            Assert.InRange(next.Except(last).Count(), 0, 1);
            Assert.True(adds ? next.Except(last).All(one => one == changed) : last.Except(next).All(one => one == changed));
            last = next;
        }
    });

    [Fact]
    public void Servers_get_about_the_same_number_of_clients()
    {
        var endpoints = Endpoints(100);
        var clients = endpoints.ToDictionary(endpoint => endpoint, _ => 0);
        for (int i = 0; i < 1_000; i++)
        {
            foreach (var endpoint in new Subset($"instance {i}", 20).Select(endpoints)) clients[endpoint]++;
        }

        output.WriteLine($"1,000 clients of 20 of 100 servers: {clients.Values.Min()} to {clients.Values.Max()} clients each.");
        Assert.All(clients.Values, count => Assert.InRange(count, 150, 250)); // 200 on average, with a deviation of 13
    }

    [Fact]
    public void A_leaving_endpoint_is_kept_and_the_next_one_takes_its_place()
    {
        var endpoints = Endpoints(100);
        var subset = new Subset("client", 20);
        var before = subset.Select(endpoints);
        MuxEndpoint[] leaving = [.. endpoints.Select(endpoint => endpoint == before[5] ? endpoint with { IsLeaving = true } : endpoint)];
        var after = subset.Select(leaving);
        Assert.Equal(21, after.Count);
        Assert.Single(after, endpoint => endpoint.IsLeaving && endpoint.Address == before[5].Address);
    }

    [Fact]
    public void Endpoints_that_cannot_be_reached_are_passed_by_once_a_second_until_all_were_tried_and_then_after_30_seconds()
    {
        var endpoints = Endpoints(90);
        var subset = new Subset("client", 20);
        var first = subset.Select(endpoints);
        var tried = first.ToHashSet();
        long now = 5 * Subset.StepTime;
        for (int step = 1; step <= 4; step++)
        {
            Assert.True(subset.TryPass(90, long.MinValue, now));
            Assert.False(subset.TryPass(90, long.MinValue, now + Subset.StepTime - 1));
            var next = subset.Select(endpoints);
            Assert.Equal(20, next.Count);
            Assert.Equal(step == 4 ? 10 : 20, next.Count(tried.Add)); // the last ten, and the first again
            now += Subset.StepTime;
        }

        Assert.Equal(90, tried.Count);
        Assert.True(subset.TryPass(90, long.MinValue, now));
        Assert.Equal(first, subset.Select(endpoints));
        Assert.False(subset.TryPass(90, long.MinValue, now + Subset.RoundTime - 1));
        Assert.True(subset.TryPass(90, long.MinValue, now + Subset.RoundTime));
    }

    [Fact]
    public void A_second_without_an_open_endpoint_passes_before_others_are_tried()
    {
        var subset = new Subset("client", 20);
        subset.Select(Endpoints(90));
        Assert.False(subset.TryPass(90, 7, 6 + Subset.StepTime));
        Assert.True(subset.TryPass(90, 7, 7 + Subset.StepTime));
    }

    [Fact]
    public void Open_endpoints_stay_until_as_many_of_the_chosen_ones_are_open()
    {
        var subset = new Subset("client", 20);
        var endpoints = Endpoints(50);
        HashSet<MuxAddress> open = [.. new Subset("another", 20).Select(endpoints).Take(5).Select(endpoint => endpoint.Address)];
        subset.Select([.. endpoints.Where(endpoint => open.Contains(endpoint.Address))]); // few: all are used
        HashSet<MuxAddress> chosen = [.. new Subset("client", 20).Select(endpoints).Select(endpoint => endpoint.Address)];
        int own = open.Count(chosen.Contains), others = open.Count - own;
        Assert.True(others > 0);

        var next = subset.Select(endpoints, null, open.Contains);
        Assert.Equal(20 + others, next.Count);
        Assert.True(open.IsSubsetOf(next.Select(endpoint => endpoint.Address)));
        Assert.True(subset.HasMore);

        // The chosen ones open, one after the other: when twenty are open with those that stay, one of these goes for each.
        foreach (var address in chosen.Where(address => !open.Contains(address)).ToArray())
        {
            open.Add(address);
            next = subset.Select(endpoints, null, open.Contains);
            Assert.Equal(Math.Min(open.Count, 20), next.Count(endpoint => open.Contains(endpoint.Address)));
        }

        Assert.Equal(chosen, next.Select(endpoint => endpoint.Address).ToHashSet());
        Assert.False(subset.HasMore);
    }

    [Theory]
    [InlineData(100, 20)]
    [InlineData(5, 5)]
    public void Endpoints_that_are_gone_do_not_count_and_living_ones_take_their_places(int living, int expected)
    {
        var endpoints = Endpoints(505);
        HashSet<MuxAddress> gone = [.. endpoints.Skip(living).Select(endpoint => endpoint.Address)];
        var subset = new Subset("client", 20);
        var chosen = subset.Select(endpoints, isGone: gone.Contains);
        Assert.Equal(expected, chosen.Count(endpoint => !gone.Contains(endpoint.Address)));
        Assert.True(subset.HasMore);

        Assert.Equal(20, subset.Select(endpoints, isGone: _ => false).Count);
        Assert.False(subset.HasMore);
    }

    [Fact]
    public void Others_take_the_places_of_those_that_are_gone_once_a_second_while_too_few_are_left()
    {
        var subset = new Subset("client", 20);
        subset.Select(Endpoints(90));
        Assert.False(subset.TryFill(20, 90, () => 0, 0));
        Assert.True(subset.TryFill(20, 90, () => 1, Subset.StepTime));
        Assert.False(subset.TryFill(20, 90, () => 1, (2 * Subset.StepTime) - 1));
        Assert.False(subset.TryFill(21, 90, () => 1, 2 * Subset.StepTime));
        Assert.False(subset.TryFill(90, 90, () => 80, 3 * Subset.StepTime)); // there are no others
        subset.Select(Endpoints(30));
        Assert.False(subset.TryFill(20, 30, () => 20, 4 * Subset.StepTime)); // all are used
    }

    [Fact]
    public void A_client_that_uses_all_endpoints_passes_none_by()
    {
        var subset = new Subset("client", 20);
        subset.Select(Endpoints(40));
        Assert.False(subset.TryPass(40, long.MinValue, 0));
    }

    private static MuxEndpoint[] Endpoints(int count) => [.. Enumerable.Range(0, count).Select(number => FakeCandidate.EndpointOf(number))];
}
