using Mux.Client;
using Mux.Discovery;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Discovery;

/// <summary>Which servers stay although their source has lost them.</summary>
public sealed class EndpointHoldTests
{
    private const long Second = 1_000_000;

    private readonly EndpointHold _hold = new();
    private readonly HashSet<string> _closed = [];

    [Fact]
    public void An_empty_set_leaves_the_endpoints_that_are_open_for_60_seconds()
    {
        _closed.Add("b");
        Assert.Equal("a b c", Apply(0, "a b c"));
        Assert.Equal("a c", Apply(5 * Second, ""));
        Assert.Equal(65 * Second, _hold.NextLook);
        Assert.Equal("a c", Apply(65 * Second - 1, ""));
        Assert.Equal("", Apply(65 * Second, ""));
        Assert.Equal(Clock.Never, _hold.NextLook);
    }

    [Fact]
    public void A_set_that_loses_half_is_believed_and_one_that_loses_more_is_not()
    {
        Apply(0, "a b c d");
        Assert.Equal("c d", Apply(Second, "c d"));
        Assert.Equal(Clock.Never, _hold.NextLook);

        var other = new EndpointHold();
        Apply(0, "a b c d", other);
        Assert.Equal("d a b c", Apply(Second, "d", other));
    }

    [Fact]
    public void Losses_within_10_seconds_count_together_and_older_ones_do_not()
    {
        Apply(0, "a b c d e f");
        Apply(Second, "b c d e f");
        Apply(2 * Second, "d e f");
        Assert.Equal("e f d", Apply(11 * Second - 1, "e f")); // the fourth of six; the first three were believed and are gone

        var slow = new EndpointHold();
        Apply(0, "a b c d e f", slow);
        Apply(Second, "b c d e f", slow);
        Apply(2 * Second, "d e f", slow);
        Assert.Equal("e f", Apply(12 * Second, "e f", slow)); // one of three
    }

    [Fact]
    public void Newcomers_do_not_make_up_for_what_was_lost()
    {
        Apply(0, "a b c");
        Assert.Equal("d e f g a b c", Apply(Second, "d e f g"));
    }

    [Fact]
    public void A_held_endpoint_whose_connection_closes_is_gone_even_if_it_opens_again()
    {
        Apply(0, "a b");
        Assert.Equal("a b", Apply(Second, ""));
        _closed.Add("a");
        Assert.Equal("b", Apply(2 * Second, ""));
        _closed.Remove("a");
        Assert.Equal("b", Apply(3 * Second, ""));
    }

    [Fact]
    public void An_endpoint_that_returns_is_that_of_the_new_set_and_may_be_lost_anew()
    {
        var first = new EndpointSet([Endpoint("a") with { Weight = 7 }, Endpoint("b")]);
        _hold.Apply(first, IsOpen, 0);
        var held = _hold.Apply(EndpointSet.Empty, IsOpen, Second);
        Assert.Equal(7, held[0].Weight);
        Assert.Equal("a b", Apply(2 * Second, "a"));
        Assert.Equal(61 * Second, _hold.NextLook); // of b
        Assert.Equal("b a", Apply(50 * Second, ""));
        Assert.Equal("a", Apply(61 * Second, ""));
        Assert.Equal(110 * Second, _hold.NextLook); // of a
    }

    [Fact]
    public void A_set_from_which_nothing_is_held_is_handed_on_as_it_is()
    {
        var set = Set("a b");
        Assert.Same(set, _hold.Apply(set, IsOpen, 0));
        Assert.Same(EndpointSet.Empty, new EndpointHold().Apply(EndpointSet.Empty, IsOpen, 0));
    }

    [Fact]
    public void Whatever_a_source_tells_exactly_the_open_endpoints_of_a_sweep_are_held_for_a_minute() => Seeds.ForEach(300, seed =>
    {
        var random = new Random(seed);
        var hold = new EndpointHold();
        var losses = new Dictionary<string, (long At, bool InSweep, bool WasOpen)>(); // what is absent now, by the rules as they are written
        string[] before = [];
        string[] shown = [];
        long now = 0;
        for (int step = 0; step < 60; step++)
        {
            now += random.Next(4) == 0 ? random.Next(70) * Second : random.Next(5) * Second;
            string[] set = random.Next(3) == 0 ? before : [.. "abcdefgh".Where(_ => random.Next(8) < 5).Select(letter => $"{letter}")];
            if (random.Next(6) == 0) set = [];
            var closed = "abcdefgh".Where(_ => random.Next(12) == 0).Select(letter => $"{letter}").ToHashSet();

            long start = now - EndpointHold.LossWindow;
            var lost = before.Except(set).ToList();
            int recent = lost.Count + losses.Count(loss => loss.Value.At > start && !set.Contains(loss.Key));
            int stayed = set.Count(name => before.Contains(name) || shown.Contains(name) || (losses.TryGetValue(name, out var loss) && loss.At > start));
            bool isSweep = set.Length == 0 || recent > stayed;
            foreach (var name in set) losses.Remove(name);
            foreach (var name in lost) losses[name] = (now, isSweep, true);
            foreach (var (name, loss) in losses.ToList()) losses[name] = loss with { WasOpen = loss.WasOpen && !closed.Contains(name) };
            var expected = losses.Where(loss => loss.Value is { InSweep: true, WasOpen: true } && now < loss.Value.At + EndpointHold.HoldTime).ToList();

            var result = hold.Apply(Set(string.Join(' ', set)), address => !closed.Contains(address.Host), now);

            shown = [.. result.Select(endpoint => endpoint.Address.Host)];
            Assert.Equal(set, shown.Take(set.Length));
            Assert.Equal(expected.Select(loss => loss.Key).Order(StringComparer.Ordinal), shown.Skip(set.Length).Order(StringComparer.Ordinal));
            Assert.Equal(expected.Count == 0 ? Clock.Never : expected.Min(loss => loss.Value.At) + EndpointHold.HoldTime, hold.NextLook);
            before = set;
        }
    });

    private string Apply(long now, string hosts, EndpointHold? hold = null) =>
        string.Join(' ', (hold ?? _hold).Apply(Set(hosts), IsOpen, now).Select(endpoint => endpoint.Address.Host));

    private bool IsOpen(MuxAddress address) => !_closed.Contains(address.Host);

    private static MuxEndpoint Endpoint(string host) => new(MuxAddress.Parse($"mux://{host}"));

    private static EndpointSet Set(string hosts) => new(hosts.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(Endpoint));
}
