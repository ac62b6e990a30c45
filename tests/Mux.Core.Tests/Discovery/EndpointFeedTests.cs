using Microsoft.Extensions.Logging;
using Mux.Client;
using Mux.Discovery;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Discovery;

/// <summary>How a channel watches a source, whatever the source does.</summary>
public sealed class EndpointFeedTests
{
    private static readonly EndpointSet s_ab = ScriptedSource.Set("a b");
    private static readonly EndpointSet s_c = ScriptedSource.Set("c");

    private readonly ManualTime _time = new();
    private readonly LogCollector _logs = new();
    private readonly Lock _gate = new();
    private readonly List<string> _applied = [];

    private List<string> Applied
    {
        get
        {
            lock (_gate) return [.. _applied];
        }
    }

    [Fact]
    public async Task Sets_are_applied_in_their_order_and_equal_ones_once()
    {
        var other = new EndpointSet(s_ab.Reverse());
        await using var feed = Start(new ScriptedSource((_, token) => ScriptedSource.Report(token, s_ab, other, s_c, s_c, EndpointSet.Empty)));
        await AppliedAsync(3);
        Assert.Equal([s_ab.ToString(), s_c.ToString(), ""], Applied);
        Assert.Null(feed.LastFailure);
        await Eventually.Holds(() => feed.Updates == new SourceUpdates(Changed: 3, Unchanged: 2, Failed: 0), "three sets and two that changed nothing");

        var changes = await _logs.ReachAsync("EndpointsChanged", 3);
        Assert.Equal((2010, LogLevel.Information, LogLevel.Debug), (changes[0].Id, changes[0].Level, changes[1].Level)); // one in 10 s
        Assert.Equal("orders: test://desk has 2 endpoint(s), 2 new, 0 gone, 0 changed: mux://a:7070, mux://b:7070.", changes[0].Text);
        Assert.Equal("orders: test://desk has 1 endpoint(s), 1 new, 2 gone, 0 changed: mux://c:7070.", changes[1].Text);
        Assert.EndsWith("has 0 endpoint(s), 0 new, 1 gone, 0 changed: none. Similar messages at level Debug since the last one: 1.", changes[2].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_change_of_weight_or_of_leaving_is_applied_and_told()
    {
        var changed = new EndpointSet([s_ab[0] with { IsLeaving = true }, s_ab[1]]);
        await using var feed = Start(new ScriptedSource((_, token) => ScriptedSource.Report(token, s_ab, changed)));
        await AppliedAsync(2);
        Assert.Contains("0 new, 0 gone, 1 changed: mux://a:7070 (leaving), mux://b:7070.", (await _logs.ReachAsync("EndpointsChanged", 2))[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_names_16_endpoints_and_counts_the_others()
    {
        await using var feed = Start(new ScriptedSource((_, token) => ScriptedSource.Report(token, ScriptedSource.Set(string.Join(' ', Enumerable.Range(1, 20).Select(i => $"h{i}"))))));
        Assert.Contains("mux://h16:7070 and 4 more.", (await _logs.ReachAsync("EndpointsChanged"))[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("throws at once", "The registry is down.")]
    [InlineData("throws in the first step", "The registry is down.")]
    [InlineData("returns null", "The source returned null instead of sets.")]
    [InlineData("reports null", "The source reported null instead of a set.")]
    [InlineData("ends", "The source ended without a set.")]
    [InlineData("is cancelled by itself", "The operation was canceled.")]
    [InlineData("fails to end", "The source reported null instead of a set.")]
    public async Task A_source_that_fails_is_watched_again_after_a_pause(string fault, string message)
    {
        var source = new ScriptedSource((_, _) => Faulty(fault), (_, token) => ScriptedSource.Report(token, s_ab));
        await using var feed = Start(source);
        await PausedAsync();
        Assert.Equal(message, feed.LastFailure?.Message);
        Assert.InRange(feed.Updates.Failed, 1, long.MaxValue);
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Equal(1, source.Watches.Count);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await AppliedAsync(1);
        await Eventually.Holds(() => feed.LastFailure is null, "the end of the failure");
        var failed = Assert.Single(_logs.Of("SourceFailed"));
        Assert.Equal((2014, LogLevel.Warning), (failed.Id, failed.Level));
        Assert.Equal($"orders: test://desk does not tell the endpoints; the 0 known one(s) stay in use, and the next attempt follows in 1000 ms. {message}", failed.Text);
    }

    [Fact]
    public async Task A_failure_is_told_before_the_pause()
    {
        var told = new TaskCompletionSource<Exception>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var feed = new EndpointFeed(new ScriptedSource((_, _) => Faulty("throws at once")), _time, _logs.CreateLogger("Mux.Client"), "orders", Apply) { OnFailed = told.SetResult };
        feed.Start();
        Assert.Equal("The registry is down.", (await told.Task.Within("the failure")).Message);
        Assert.Same(await told.Task, feed.LastFailure);
    }

    [Fact]
    public async Task While_a_source_fails_its_last_set_stays()
    {
        var source = new ScriptedSource((_, _) => FailAfter(s_ab), (_, token) => ScriptedSource.Report(token, s_ab, s_c));
        await using var feed = Start(source);
        await PausedAsync();
        Assert.Equal([s_ab.ToString()], Applied);
        Assert.Contains("the 2 known one(s) stay in use", Assert.Single(_logs.Of("SourceFailed")).Text, StringComparison.Ordinal);
        _time.Advance(TimeSpan.FromSeconds(1));
        await AppliedAsync(2);
        Assert.Equal([s_ab.ToString(), s_c.ToString()], Applied); // the second watch began with what was known
    }

    [Fact]
    public async Task Failures_are_warned_of_once_a_minute_and_counted()
    {
        await using var feed = Start(new ScriptedSource((_, _) => Faulty("throws at once")));
        for (int i = 1; i <= 61; i++)
        {
            await Eventually.Holds(() => _logs.Of("SourceFailed").Count == i, $"failure {i}");
            await PausedAsync();
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        var warnings = _logs.Of("SourceFailed").Where(entry => entry.Level == LogLevel.Warning).ToList();
        Assert.Equal(2, warnings.Count);
        Assert.EndsWith("since the last one: 59.", warnings[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_source_that_ends_leaves_its_last_set_for_ever()
    {
        var source = new ScriptedSource((_, _) => new[] { s_ab }.ToAsyncEnumerable());
        await using var feed = Start(source);
        await AppliedAsync(1);
        _time.Advance(TimeSpan.FromMinutes(10));
        Assert.Equal((0, 1L), (_time.ArmedTimers, source.Watches.Count));
        Assert.Empty(_logs.Of("SourceFailed"));
    }

    [Fact]
    public async Task A_failed_connection_makes_the_source_look_again_at_most_once_a_second()
    {
        var looks = new Counter("looks of the source");
        await using var feed = Start(new ScriptedSource((refresh, token) => Look(refresh, looks, token)));
        await looks.ReachAsync(1);
        for (int i = 0; i < 1_000; i++) feed.RequestRefresh();
        await PausedAsync();
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Equal(1, looks.Count);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await looks.ReachAsync(2);
        await PausedAsync();
        _time.Advance(TimeSpan.FromSeconds(14));
        Assert.Equal(2, looks.Count);
    }

    [Fact]
    public async Task A_source_that_lost_a_server_is_asked_each_second_until_it_is_back()
    {
        var looks = new Counter("looks of the source");
        var set = s_ab;
        await using var feed = Start(new ScriptedSource((refresh, token) => Look(refresh, looks, token, isPoll: true, () => Volatile.Read(ref set))));
        await looks.ReachAsync(1);
        await PausedAsync(); // of the source
        Volatile.Write(ref set, s_c);
        _time.Advance(TimeSpan.FromSeconds(15));
        await looks.ReachAsync(2);
        for (int look = 3; look <= 5; look++)
        {
            await PausedAsync(timers: 2); // of the source and of the feed
            _time.Advance(TimeSpan.FromSeconds(1));
            await looks.ReachAsync(look);
        }

        Volatile.Write(ref set, s_ab);
        await PausedAsync(timers: 2);
        _time.Advance(TimeSpan.FromSeconds(1));
        await AppliedAsync(3);
        await PausedAsync();
        Assert.Equal([s_ab.ToString(), s_c.ToString(), s_ab.ToString()], Applied);
    }

    [Fact]
    public async Task A_source_that_is_told_of_changes_is_not_asked_after_a_loss()
    {
        var looks = new Counter("looks of the source");
        var set = s_ab;
        await using var feed = Start(new ScriptedSource((refresh, token) => Look(refresh, looks, token, isPoll: false, () => Volatile.Read(ref set))));
        await looks.ReachAsync(1);
        await PausedAsync();
        Volatile.Write(ref set, s_c);
        _time.Advance(TimeSpan.FromSeconds(15));
        for (int second = 0; second < 8; second++)
        {
            await PausedAsync(timers: 2);
            Assert.Equal(2, looks.Count);
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }

    [Fact]
    public async Task A_source_that_takes_longer_than_the_pause_is_not_asked_meanwhile()
    {
        var looks = new Counter("looks of the source");
        var answer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var set = s_ab;
        await using var feed = Start(new ScriptedSource((refresh, token) =>
            Look(refresh, looks, token, isPoll: true, () => Volatile.Read(ref set), () => looks.Count == 3 ? answer.Task : Task.CompletedTask)));
        await looks.ReachAsync(1);
        await PausedAsync();
        Volatile.Write(ref set, s_c);
        _time.Advance(TimeSpan.FromSeconds(15));
        await looks.ReachAsync(2);
        await PausedAsync(timers: 2);
        _time.Advance(TimeSpan.FromSeconds(1));
        await looks.ReachAsync(3);
        for (int second = 0; second < 3; second++)
        {
            await PausedAsync(); // of the feed
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        await PausedAsync();
        answer.SetResult();
        await PausedAsync(timers: 2);
        Assert.Equal(3, looks.Count);
    }

    [Fact]
    public async Task A_source_without_a_pause_is_slowed_to_100_sets_a_second()
    {
        await using var feed = Start(new ScriptedSource((_, _) => Flicker()));
        await AppliedAsync(100);
        await PausedAsync();
        Assert.Equal(100, Applied.Count);
        _time.Advance(TimeSpan.FromSeconds(1));
        await AppliedAsync(200);
        await PausedAsync();
        Assert.Equal(200, Applied.Count);
    }

    [Fact]
    public async Task The_end_of_a_feed_does_not_wait_for_a_source_that_ignores_its_token()
    {
        var released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var ended = new Signal("the end of the enumeration");
        var feed = Start(new ScriptedSource((_, _) => Stubborn(released.Task, ended)));
        await AppliedAsync(1);
        await feed.DisposeAsync().AsTask().Within("the end of the feed");
        released.SetResult();
        await ended.WaitAsync();
        Assert.Equal([s_ab.ToString()], Applied);
    }

    [Fact]
    public async Task Neither_start_nor_end_of_a_feed_wait_for_a_source_that_blocks_its_thread()
    {
        using var released = new ManualResetEventSlim();
        var source = new ScriptedSource((_, _) => Block(released));
        var feed = Start(source);
        await source.Watches.ReachAsync(1);
        await feed.DisposeAsync().AsTask().Within("the end of the feed");
        released.Set();
        await feed.DisposeAsync().AsTask().Within("the second end of the feed");
        Assert.Empty(Applied);
    }

    [Fact]
    public async Task The_end_of_a_feed_waits_for_the_set_that_is_being_applied_and_none_follows()
    {
        using var released = new ManualResetEventSlim();
        var entered = new Signal("the set is being applied");
        var source = new ScriptedSource((_, token) => ScriptedSource.Report(token, s_ab, s_c));
        var feed = new EndpointFeed(source, _time, _logs.CreateLogger("Mux.Client"), "orders", set =>
        {
            lock (_gate) _applied.Add(set.ToString());
            entered.Set();
            released.Wait();
        });
        feed.Start();
        await entered.WaitAsync();
        var end = feed.DisposeAsync().AsTask();
        Assert.False(end.IsCompleted);
        released.Set();
        await end.Within("the end of the feed");
        Assert.Equal([s_ab.ToString()], Applied);
    }

    [Fact]
    public async Task A_source_without_a_usable_name_is_called_by_its_type()
    {
        await using var feed = Start(new ScriptedSource((_, token) => ScriptedSource.Report(token, s_ab)) { Name = "" });
        Assert.StartsWith("orders: ScriptedSource has 2", (await _logs.ReachAsync("EndpointsChanged"))[0].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_flows_with_the_caller_does_not_reach_the_source()
    {
        var local = new AsyncLocal<string?> { Value = "request 7" };
        var seen = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var feed = Start(new ScriptedSource((_, token) =>
        {
            seen.TrySetResult(local.Value);
            return ScriptedSource.Report(token, s_ab);
        }));
        Assert.Null(await seen.Task.Within("the watch"));
    }

    private EndpointFeed Start(IEndpointSource source)
    {
        var feed = new EndpointFeed(source, _time, _logs.CreateLogger("Mux.Client"), "orders", Apply, new ChosenRandom(0));
        feed.Start();
        return feed;
    }

    private void Apply(EndpointSet set)
    {
        lock (_gate) _applied.Add(set.ToString());
    }

    private Task AppliedAsync(int count) => Eventually.Holds(() => Applied.Count >= count, () => $"{count} sets; there are {Applied.Count}");

    private Task PausedAsync(int timers = 1) => Eventually.Holds(() => _time.ArmedTimers == timers, () => $"a pause: {timers} timer(s), not {_time.ArmedTimers}");

    private static IAsyncEnumerable<EndpointSet> Faulty(string fault) => fault switch
    {
        "throws at once" => throw new InvalidOperationException("The registry is down."),
        "throws in the first step" => FailAfter(),
        "returns null" => null!,
        "reports null" => new EndpointSet[] { null! }.ToAsyncEnumerable(),
        "ends" => Array.Empty<EndpointSet>().ToAsyncEnumerable(),
        "is cancelled by itself" => CancelItself(),
        "fails to end" => FailToEnd(),
        _ => throw new ArgumentException(fault),
    };

    private static async IAsyncEnumerable<EndpointSet> FailAfter(params EndpointSet[] sets)
    {
        foreach (var set in sets) yield return set;
        await Task.Yield();
        throw new InvalidOperationException("The registry is down.");
    }

    private static async IAsyncEnumerable<EndpointSet> CancelItself()
    {
        await Task.Yield();
        if (s_ab.Count > 0) throw new OperationCanceledException();
        yield break;
    }

    private static async IAsyncEnumerable<EndpointSet> FailToEnd()
    {
        try
        {
            yield return null!;
        }
        finally
        {
            await Task.Yield();
            ThrowAtEnd();
        }
    }

    private static void ThrowAtEnd() => throw new InvalidOperationException("Not even the end works.");

    private static async IAsyncEnumerable<EndpointSet> Look(
        EndpointRefresh refresh, Counter looks, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken token,
        bool isPoll = false, Func<EndpointSet>? set = null, Func<Task>? answered = null)
    {
        while (true)
        {
            looks.Add();
            if (answered is not null) await answered();
            yield return set?.Invoke() ?? s_ab;
            await (isPoll ? refresh.WaitForPollAsync(TimeSpan.FromSeconds(15), token) : refresh.WaitAsync(TimeSpan.FromSeconds(15), token));
        }
    }

    private static async IAsyncEnumerable<EndpointSet> Flicker()
    {
        await Task.CompletedTask;
        while (true)
        {
            yield return s_ab;
            yield return s_c;
        }
    }

    private static async IAsyncEnumerable<EndpointSet> Stubborn(Task released, Signal ended)
    {
        try
        {
            yield return s_ab;
            await released;
            yield return s_c;
        }
        finally
        {
            ended.Set();
        }
    }

    private static async IAsyncEnumerable<EndpointSet> Block(ManualResetEventSlim released)
    {
        released.Wait();
        await Task.CompletedTask;
        yield return s_ab;
    }
}
