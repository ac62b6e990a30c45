using Chat;
using Mux.Redis.Tests.Processes;
using Mux.TestSupport.EndToEnd;

namespace Samples.Tests;

/// <summary>Two servers of samples/11-chat with one Redis. Skipped where Redis is not installed.</summary>
public sealed class TwoServerTests
{
    [Fact]
    public async Task What_one_says_the_members_at_both_servers_get_once_and_in_order()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var one = await ChatProcess.StartAsync(redis);
        await using var two = await ChatProcess.StartAsync(redis);
        await using var ann = await Screen.OpenAsync(one.Address, "lobby", "ann");
        await using var bob = await Screen.OpenAsync(two.Address, "lobby", "bob");
        await using var cid = await Screen.OpenAsync(two.Address, "attic", "cid");
        await ReachesAsync(ann, bob);
        await ReachesAsync(bob, ann);

        string[] said = [.. Enumerable.Range(1, 30).Select(i => $"line {i}")]; // fewer than the calls that a member allows
        foreach (string text in said) await ann.User.Chat.Say("lobby", text);

        await bob.Shows("ann: line 30");
        await ann.Shows("ann: line 30");
        string[] expected = [.. said.Select(text => $"ann: {text}")];
        foreach (var screen in (Screen[])[ann, bob]) Assert.Equal(expected, screen.Lines.Where(line => line.StartsWith("ann: line", StringComparison.Ordinal)));
        Assert.DoesNotContain(cid.Lines, line => line.StartsWith("ann: ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Who_comes_and_goes_is_told_at_the_other_server()
    {
        await using var redis = await RedisProcess.StartAsync();
        await using var one = await ChatProcess.StartAsync(redis);
        await using var two = await ChatProcess.StartAsync(redis);
        await using var ann = await Screen.OpenAsync(one.Address, "lobby", "ann");
        await using (var dan = await Screen.OpenAsync(two.Address, "lobby", "dan")) await ReachesAsync(dan, ann); // from now on ann's server hears of the room

        await using (var bob = await Screen.OpenAsync(two.Address, "lobby", "bob")) await ann.Shows("* bob has entered lobby");

        await ann.Shows("* bob has left lobby"); // the last member at its server
        Assert.Equal(["ann"], await ann.User.Chat.Who("lobby"));
    }

    [Fact]
    public async Task While_Redis_is_away_each_server_goes_on_and_then_they_share_their_rooms()
    {
        await using var redis = RedisProcess.NotStarted();
        await using var one = ChatServer.Start("mux://127.0.0.1:0", redis.Address);
        await using var two = ChatServer.Start("mux://127.0.0.1:0", redis.Address);
        await using var ann = await Screen.OpenAsync(one.Address, "lobby", "ann");
        await using var bob = await Screen.OpenAsync(one.Address, "lobby", "bob");
        await using var cid = await Screen.OpenAsync(two.Address, "lobby", "cid");
        await ann.User.Chat.Say("lobby", "hello");
        await bob.Shows("ann: hello");
        Assert.DoesNotContain("ann: hello", cid.Lines);

        await redis.LaunchAsync();

        await ReachesAsync(ann, cid);
        await ReachesAsync(cid, bob);
    }

    /// <summary>Lets one speak until the other hears: subscriptions in Redis come into force some time after their members have entered.</summary>
    private static Task ReachesAsync(Screen from, Screen to)
    {
        string heard = $"{from.User.Name}: knock";
        var saying = Task.CompletedTask;
        return Eventually.Holds(
            () =>
            {
                if (to.Lines.Contains(heard)) return true;
                if (saying.IsCompleted) saying = from.User.Chat.Say(from.User.Room, "knock").AsTask();
                return false;
            },
            () => $"'{heard}' among {string.Join(" | ", to.Lines.TakeLast(20))}");
    }
}
