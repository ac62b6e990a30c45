using Microsoft.AspNetCore.Http;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>A source of a cluster in states that are rare.</summary>
public sealed class SourceTests
{
    private const int TestLimit = 90_000;
    private const string A = """{"address":"mux://a:1"}""";
    private const string B = """{"address":"mux://b:1"}""";

    private readonly LogCollector _logs = new();
    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_compacted_watch_that_stays_open_is_followed_by_a_new_list()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, loggers: _logs));
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
        etcd.List(12, ("1", B));
        await etcd.SendAsync("""{"result":{"header":{"revision":"12"},"canceled":true,"compact_revision":"11"}}""");
        await sets.ReachAsync("mux://b:1");
        await etcd.ReachAsync("watch", 2);
        Assert.Equal(["8", "13"], etcd.Requests.Where(request => request.Path == "/v3/watch").Select(request => request.Body.GetProperty("create_request").GetProperty("start_revision").GetString()));
        Assert.Empty(_logs.Of("EtcdWatchLost")); // etcd works: it is no failure, and no pause follows
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_a_watch_has_lost_is_found_within_5_minutes_and_a_half()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        await using var sets = await FollowAsync(etcd);
        etcd.List(8, ("1", B));
        _time.Advance(TimeSpan.FromMinutes(5.5));
        await sets.ReachAsync("mux://b:1");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_whose_connections_fail_gets_a_new_list()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        await using var sets = await FollowAsync(etcd);
        etcd.List(8, ("1", B));
        _time.Advance(TimeSpan.FromSeconds(2));
        sets.Refresh.Request();
        await sets.ReachAsync("mux://b:1");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_list_without_a_change_is_not_reported()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        await using var sets = await FollowAsync(etcd);
        _time.Advance(TimeSpan.FromSeconds(2));
        sets.Refresh.Request();
        await etcd.ReachAsync("watch", 2);
        Assert.Equal(1, sets.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_that_does_not_answer_is_left_after_5_seconds()
    {
        await using var silent = await ScriptedEtcd.StartAsync();
        await using var other = await ScriptedEtcd.StartAsync();
        silent.Hang("/v3/kv/range");
        silent.Hang("/v3/watch");
        other.List(7, ("1", A));
        var source = new EtcdEndpointSource($"mux+etcd://{silent.Member},{other.Member}/orders");
        ObservedSets[] watches = [.. Enumerable.Range(0, 6).Select(_ => ObservedSets.Watch(source))]; // each asks in an order of its own
        foreach (var sets in watches) await sets.ReachAsync("mux://a:1");
        foreach (var sets in watches) await sets.DisposeAsync();
        Assert.NotEmpty(silent.Paths);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("etcdserver: invalid auth token", 401)]
    [InlineData("etcdserver: invalid auth token", 400)]
    [InlineData("etcdserver: revision of auth store is old", 400)]
    public async Task A_rejected_token_leads_to_one_new_login(string text, int status)
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A));
        RejectTokensBut(etcd, "token 2", text, status);
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, new EtcdOptions { User = "root", Password = "secret" }));
        await sets.ReachAsync("mux://a:1");
        await etcd.ReachAsync("watch", 1);
        Assert.Equal(["auth/authenticate", "kv/range", "auth/authenticate", "kv/range", "watch"], etcd.Paths);
        Assert.Equal("token 2", etcd.Requests[^1].Headers["Authorization"]);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_token_that_is_rejected_again_is_a_failure()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        RejectTokensBut(etcd, "none");
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, new EtcdOptions { User = "root", Password = "secret" }));
        var error = await sets.FailAsync();
        Assert.Equal($"etcd at {etcd.Member} refuses /v3/kv/range: etcdserver: invalid auth token.", error.Message);
        Assert.Equal(2, etcd.Paths.Count(path => path == "auth/authenticate"));
        Assert.DoesNotContain("secret", error.ToString(), StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_cluster_without_authentication_needs_no_token()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A));
        etcd.Answer("/v3/auth/authenticate", """{"error":"etcdserver: authentication is not enabled","code":9}""", status: 400);
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, new EtcdOptions { User = "root", Password = "secret" }));
        await sets.ReachAsync("mux://a:1");
        Assert.DoesNotContain("Authorization", etcd.Requests[1].Headers.Keys);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_watch_that_is_refused_leads_to_a_new_login()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A));
        etcd.Answer("/v3/auth/authenticate", """{"token":"token"}""");
        etcd.On("/v3/watch", (context, _) => etcd.HoldWatchAsync(context, """{"result":{"created":true,"canceled":true,"cancel_reason":"etcdserver: permission denied"}}"""));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, new EtcdOptions { User = "root", Password = "secret" }, _logs));
        await etcd.ReachAsync("watch", 2);
        Assert.Equal(["auth/authenticate", "kv/range", "watch", "auth/authenticate", "kv/range", "watch"], etcd.Paths.Take(6));
        Assert.Contains("etcd refuses to watch: etcdserver: permission denied", Assert.Single(_logs.Of("EtcdWatchLost")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_watch_that_fails_is_logged_once_and_begun_anew()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, loggers: _logs));
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
        etcd.Answer("/v3/kv/range", """{"error":"etcdserver: no leader","code":14}""", status: 503);
        await etcd.SendAsync("""{"error":{"grpc_code":14,"http_code":503,"message":"etcdserver: no leader","http_status":"Service Unavailable"}}""");
        await etcd.ReachAsync("kv/range", 3);
        etcd.List(8, ("1", B));
        await sets.ReachAsync("mux://b:1");
        await _logs.ReachAsync("EtcdWatchRestored");
        Assert.Contains($"{etcd.Target} cannot be watched: The watch has failed: etcdserver: no leader. ", Assert.Single(_logs.Of("EtcdWatchLost")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Every_request_asks_for_a_member_with_a_leader()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target));
        await sets.ReachAsync();
        await etcd.ReachAsync("watch", 1);
        Assert.All(etcd.Requests, request => Assert.Equal("true", request.Headers["Grpc-Metadata-hasleader"]));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_redirect_is_not_followed()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        await using var elsewhere = await ScriptedEtcd.StartAsync();
        etcd.On("/v3/kv/range", (context, _) =>
        {
            context.Response.StatusCode = StatusCodes.Status307TemporaryRedirect;
            context.Response.Headers.Location = $"http://{elsewhere.Member}/v3/kv/range";
            return Task.CompletedTask;
        });
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target));
        Assert.Equal($"etcd at {etcd.Member} refuses /v3/kv/range: HTTP status 307.", (await sets.FailAsync()).Message);
        Assert.Empty(elsewhere.Paths);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData("<html>", "its response is not that of etcd v3")]
    [InlineData("null", "its response is null")]
    [InlineData("""{"header":{"revision":"7"},"kvs":[null]}""", "its response has null in \"kvs\": expected keys")]
    [InlineData("""{"header":null,"kvs":[{"key":null,"value":null},null]}""", "its response has null in \"kvs\": expected keys")]
    public async Task A_server_that_is_no_etcd_is_named(string body, string expected)
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.Answer("/v3/kv/range", body);
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target));
        Assert.Equal($"No member of etcd has answered /v3/kv/range: {etcd.Member}: {expected}.", (await sets.FailAsync()).Message);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_value_that_cannot_be_read_is_skipped_and_logged_once()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A), ("2", "10.0.0.7:7070"));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, loggers: _logs, time: _time), _time);
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
        etcd.List(8, ("1", A), ("2", "10.0.0.7:7070"), ("3", B));
        _time.Advance(TimeSpan.FromSeconds(2));
        sets.Refresh.Request();
        await sets.ReachAsync("mux://a:1", "mux://b:1");
        var entry = Assert.Single(_logs.Of("EtcdValueUnreadable"));
        Assert.StartsWith($"The key /orders/2 of {etcd.Target} is no endpoint and is skipped: its value is not JSON", entry.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("10.0.0.7:7070:", entry.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_key_that_was_written_last_tells_who_listens_at_an_address()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("z-dead", A));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target));
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
        await etcd.SendAsync($$$"""{"result":{"events":[{"kv":{"key":"{{{ScriptedEtcd.Base64("/orders/a-successor")}}}","value":"{{{ScriptedEtcd.Base64(A)}}}","mod_revision":"8"}}]}}""");
        await Eventually.Holds(() => sets.Last is [{ Instance: "a-successor" }], "the successor");
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_key_that_was_written_last_counts_wherever_it_stands_in_a_list()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.Answer("/v3/kv/range", $$"""{"header":{"revision":"9"},"kvs":[{{Key("a-successor", 8)}},{{Key("z-dead", 7)}}]}""");
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target));
        Assert.Equal("a-successor", Assert.Single(await sets.ReachAsync("mux://a:1")).Instance);

        static string Key(string name, int revision) =>
            $$"""{"key":"{{ScriptedEtcd.Base64($"/orders/{name}")}}","value":"{{ScriptedEtcd.Base64(A)}}","mod_revision":"{{revision}}"}""";
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_watch_that_sends_null_in_place_of_an_event_has_failed()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.List(7, ("1", A));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, loggers: _logs));
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
        await etcd.SendAsync("""{"result":{"events":[null]}}""");
        var entry = Assert.Single(await _logs.ReachAsync("EtcdWatchLost"));
        Assert.Contains("cannot be watched: The watch has failed: etcd sends null in place of an event.", entry.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Changes_that_come_together_are_one_set_and_a_watch_that_never_rests_is_read_at_a_pace()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        await using var sets = await FollowAsync(etcd);
        var flood = string.Concat(Enumerable.Repeat($"{Put(B)}\n{Put(A)}\n", 2_000)) + Put(B);
        var sent = etcd.SendAsync(flood); // may wait for the reader
        for (int pauses = 1; pauses <= 2; pauses++)
        {
            await Eventually.Holds(() => _time.ArmedTimers == 2, "the pause, next to the time of the next list");
            Assert.InRange(sets.Count, 1, 3_000);
            _time.Advance(TimeSpan.FromSeconds(2));
        }

        await sets.ReachAsync("mux://b:1");
        await sent;
        Assert.InRange(sets.Count, 2, 3_000); // of 4,001 changes
    }

    private static string Put(string value) =>
        $$$"""{"result":{"events":[{"kv":{"key":"{{{ScriptedEtcd.Base64("/orders/1")}}}","value":"{{{ScriptedEtcd.Base64(value)}}}","mod_revision":"8"}}]}}""";

    /// <summary>Lets a source report A and watch for changes, on the test's clock.</summary>
    private async Task<ObservedSets> FollowAsync(ScriptedEtcd etcd)
    {
        etcd.List(7, ("1", A));
        var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, time: _time), _time);
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
        await Eventually.Holds(() => _time.ArmedTimers == 1, "the source's knowledge of the watch: until then its request has a time limit");
        return sets;
    }

    /// <summary>Gives tokens with numbers, and knows one of them.</summary>
    private static void RejectTokensBut(ScriptedEtcd etcd, string known, string text = "etcdserver: invalid auth token", int status = 401)
    {
        int tokens = 0;
        etcd.On("/v3/auth/authenticate", (context, body) =>
        {
            Assert.Equal(("root", "secret"), (body.GetProperty("name").GetString(), body.GetProperty("password").GetString()));
            return context.Response.WriteAsync($$"""{"header":{},"token":"token {{Interlocked.Increment(ref tokens)}}"}""");
        });
        etcd.On("/v3/kv/range", (context, _) =>
        {
            bool isKnown = context.Request.Headers.Authorization == known;
            context.Response.StatusCode = isKnown ? 200 : status;
            return context.Response.WriteAsync(isKnown
                ? $$"""{"header":{"revision":"7"},"kvs":[{"key":"{{ScriptedEtcd.Base64("/orders/1")}}","value":"{{ScriptedEtcd.Base64(A)}}","mod_revision":"7"}]}"""
                : $$"""{"error":"{{text}}","message":"{{text}}","code":16}""");
        });
    }
}
