using Mux.Server;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Identity;

/// <summary>Who may be looked at, and when.</summary>
public sealed class AuthenticationPlacesTests
{
    [Fact]
    public async Task One_address_holds_no_more_than_its_share_and_another_one_finds_a_place()
    {
        var sut = new AuthenticationPlaces(limit: 4, perAddress: 2);
        var crowd = Enumerable.Range(0, 10).Select(_ => Enter(sut, "10.0.0.7")).ToList();
        Assert.Equal(2, crowd.Count(place => place.IsCompleted));
        Assert.True(Enter(sut, "10.0.0.8").IsCompletedSuccessfully);

        sut.Leave("10.0.0.7");
        await Eventually.Holds(() => crowd.Count(place => place.IsCompleted) == 3, () => "the next of the crowd");
    }

    [Fact]
    public async Task Addresses_that_wait_are_served_in_turn_however_many_of_one_came_first()
    {
        var sut = new AuthenticationPlaces(limit: 1, perAddress: 1);
        await Enter(sut, "10.0.0.6");
        var crowd = Enumerable.Range(0, 100).Select(_ => Enter(sut, "10.0.0.7")).ToList();
        var other = Enter(sut, "10.0.0.8");

        sut.Leave("10.0.0.6");
        await crowd[0].Within("the first of the crowd");
        sut.Leave("10.0.0.7");
        await other.Within("the other address");
        Assert.Equal(1, crowd.Count(place => place.IsCompleted));
    }

    [Fact]
    public async Task Who_gives_up_leaves_its_turn_to_the_next()
    {
        var sut = new AuthenticationPlaces(limit: 1, perAddress: 1);
        await Enter(sut, "10.0.0.7");
        using var patience = new CancellationTokenSource();
        var impatient = sut.EnterAsync("10.0.0.7", patience.Token);
        var next = Enter(sut, "10.0.0.7");
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => impatient).Within("the end of the waiting");
        sut.Leave("10.0.0.7");
        await next.Within("the next");
    }

    [Fact]
    public void Peers_without_an_address_are_bounded_in_all_and_not_by_it()
    {
        var sut = new AuthenticationPlaces(limit: 3, perAddress: 1);
        Assert.Equal(3, Enumerable.Range(0, 5).Select(_ => Enter(sut, string.Empty)).Count(place => place.IsCompleted));
    }

    [Fact]
    public void Random_comings_and_goings_never_exceed_a_share_and_lose_no_place() => Seeds.ForEach(200, seed =>
    {
        var random = new Random(seed);
        var sut = new AuthenticationPlaces(limit: 5, perAddress: 2);
        var places = new List<(string Host, Task Place)>();
        for (int step = 0; step < 200; step++)
        {
            var held = places.Where(place => place.Place.IsCompleted).ToList();
            if (held.Count > 0 && random.Next(2) == 0)
            {
                var leaving = held[random.Next(held.Count)];
                places.Remove(leaving);
                sut.Leave(leaving.Host);
            }
            else
            {
                var host = $"10.0.0.{random.Next(6)}";
                places.Add((host, Enter(sut, host)));
            }

            // Those that wait are completed by the pool, and only later, but never too many are.
            Assert.InRange(places.Count(place => place.Place.IsCompleted), 0, 5);
            Assert.All(places.GroupBy(place => place.Host), of => Assert.InRange(of.Count(place => place.Place.IsCompleted), 0, 2));
        }
    });

    private static Task Enter(AuthenticationPlaces sut, string host) => sut.EnterAsync(host, TestContext.Current.CancellationToken);
}
