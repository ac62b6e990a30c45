using Microsoft.Extensions.Logging;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>Which limits hold, and how they are told.</summary>
public sealed class ProfileTests : EndToEndTests
{
    [Fact]
    public void A_profile_sets_the_defaults_and_what_is_set_wins_in_whatever_order()
    {
        var options = new MuxServerOptions { MaxUnsentBytes = 2 << 20 };
        Assert.Equal((MuxProfile.Edge, 4_096, 4 << 20), (options.Profile, options.MaxCallsPerConnection, options.MaxMessageBytes));
        options.Profile = MuxProfile.Internal;
        Assert.Equal((16_384, 64 << 20, 128L << 20), (options.MaxCallsPerConnection, options.MaxMessageBytes, options.MaxReassemblyBytes));
        Assert.Equal(2 << 20, options.MaxUnsentBytes);
        Assert.Empty(options.Validate());

        options.Limits.MaxHandlers = 7;
        var effective = EffectiveLimits.Of(options, 1);
        Assert.Equal((MuxLimit.Unbounded.Value, 300_000_000L), (effective.MaxHandlersPerAddress, effective.Budgets.FragmentTimeout));
        Assert.Equal((7, 1_024), (effective.MaxHandlers, effective.MaxPendingHandshakes));
        Assert.Contains(new("Limits.PrematureCancels", "Unbounded"), effective.Values);
    }

    [Fact]
    public void Every_budget_of_both_profiles_is_finite_unless_its_documentation_says_otherwise()
    {
        var edge = EffectiveLimits.Of(new MuxServerOptions(), 1);
        Assert.DoesNotContain("Limits", string.Join(',', edge.Values.Where(value => value.Value is "Unbounded").Select(value => value.Key)), StringComparison.Ordinal);
        Assert.Equal((5_000L, 30_000_000L), (edge.MaxHandlersPerAddress, edge.Budgets.FragmentTimeout));
        var inner = EffectiveLimits.Of(new MuxServerOptions { Profile = MuxProfile.Internal }, 1);
        Assert.Equal(["Limits.MaxHandlers", "Limits.MaxHandlersPerAddress", "Limits.MaxPendingHandshakesPerAddress", "Limits.MaxHeldBytesPerAddress", "Limits.PrematureCancels", "Limits.MinByteRate", "Limits.MinMessageRate"], inner.Values.Where(value => value.Value is "Unbounded" && value.Key.StartsWith("Limits", StringComparison.Ordinal)).Select(value => value.Key));
    }

    [Fact]
    public void Peers_may_make_a_server_hold_a_part_of_the_memory_of_the_process_and_those_of_an_address_a_part_of_that()
    {
        long memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        var edge = EffectiveLimits.Of(new MuxServerOptions(), 1);
        Assert.Equal((memory / 4, memory / 4 / 4), (edge.MaxHeldBytes, edge.MaxHeldBytesPerAddress));
        var inner = EffectiveLimits.Of(new MuxServerOptions { Profile = MuxProfile.Internal }, 1);
        Assert.Equal(memory / 2, inner.MaxHeldBytes);
        var set = EffectiveLimits.Of(new MuxServerOptions { Limits = { MaxHeldBytes = 100 << 20 } }, 1);
        Assert.Equal((100L << 20, 25L << 20, 100L << 20), (set.MaxHeldBytes, set.MaxHeldBytesPerAddress, set.MaxUnsentBytes));
        Assert.True(EffectiveLimits.Of(new MuxServerOptions { MaxMessageBytes = 1 << 30, MaxReassemblyBytes = 1 << 30 }, 1).MaxHeldBytes >= 2L << 30);
    }

    [Fact]
    public void Limits_that_do_not_fit_together_are_named()
    {
        var options = new MuxServerOptions
        {
            MaxUnsentBytes = 64 << 20,
            Limits = { MaxUnsentBytes = 32 << 20, MaxPendingHandshakes = 10, MaxPendingHandshakesPerAddress = 11, MaxHeldBytes = 4 << 20, MaxHeldBytesPerAddress = 5 << 20 },
        };
        Assert.Equal(
            [
                "Limits:MaxUnsentBytes: '33554432' is not allowed: expected at least MaxUnsentBytes of one connection, which is 67108864.",
                "Limits:MaxHeldBytes: '4194304' is not allowed: expected at least twice MaxMessageBytes, which is 4194304: one connection may hold at most half.",
                "Limits:MaxHeldBytesPerAddress: '5242880' is not allowed: expected at most Limits:MaxHeldBytes, which is 4194304, or Unbounded.",
                "Limits:MaxPendingHandshakesPerAddress: '11' is not allowed: expected at most Limits:MaxPendingHandshakes, which is 10, or Unbounded.",
            ],
            options.Validate().Select(failure => failure.ToString()));
    }

    [Theory]
    [InlineData(MuxProfile.Edge, 10_000L, 256L)]
    [InlineData(MuxProfile.Internal, long.MaxValue, 1_024L)]
    public void The_share_of_an_address_is_held_against_the_total_of_the_profile(MuxProfile profile, long handlers, long handshakes)
    {
        var options = new MuxServerOptions { Profile = profile, Limits = { MaxHandlersPerAddress = Math.Min(handlers, 1_000_000_000), MaxPendingHandshakesPerAddress = handshakes } };
        Assert.Empty(options.Validate());
        options.Limits.MaxHandlersPerAddress = 10_001;
        options.Limits.MaxPendingHandshakesPerAddress = handshakes + 1;
        string[] expected =
        [
            .. handlers == 10_000 ? ["Limits:MaxHandlersPerAddress: '10001' is not allowed: expected at most Limits:MaxHandlers, which is 10000 with the profile Edge, or Unbounded."] : Array.Empty<string>(),
            $"Limits:MaxPendingHandshakesPerAddress: '{handshakes + 1}' is not allowed: expected at most Limits:MaxPendingHandshakes, which is {handshakes} with the profile {profile}, or Unbounded.",
        ];
        Assert.Equal(expected, options.Validate().Select(failure => failure.ToString()));
        options.Limits.MaxHandlersPerAddress = options.Limits.MaxPendingHandshakesPerAddress = MuxLimit.Unbounded;
        Assert.Empty(options.Validate());
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_says_once_which_limits_are_not_those_of_its_profile()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options =>
        {
            options.Profile = MuxProfile.Internal;
            options.MaxConnections = 50;
            options.Limits.MinByteRate = 1_000;
            options.Limits.ControlFrames = 100_000; // as in the profile
        });
        var entry = Assert.Single(await scene.Logs.ReachAsync("ServerLimits"));
        Assert.Equal(LogLevel.Debug, entry.Level);
        Assert.Equal($"Limits of the server at {server.Address} are those of the profile Internal, except: MaxConnections 50, Limits.MinByteRate 1000.", entry.Text);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(MuxProfile.Edge)]
    [InlineData(MuxProfile.Internal)]
    public async Task A_server_says_if_its_limits_are_those_of_its_profile(MuxProfile profile)
    {
        var scene = Begin(TransportKind.InMemory);
        scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Profile = profile);
        Assert.EndsWith($"of the profile {profile}, except: none.", Assert.Single(await scene.Logs.ReachAsync("ServerLimits")).Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("5", 5L)]
    [InlineData("unbounded", long.MaxValue)]
    [InlineData("9223372036854775807", null)]
    [InlineData("many", null)]
    [InlineData(null, null)]
    public void A_limit_is_read_from_a_number_or_the_word(string? text, long? expected)
    {
        Assert.Equal(expected is not null, MuxLimit.TryParse(text, out var limit));
        Assert.Equal(expected ?? 0, limit.Value);
        Assert.Equal(expected is not null, limit.IsSet);
    }
}
