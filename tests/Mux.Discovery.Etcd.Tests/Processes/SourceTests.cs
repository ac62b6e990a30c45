using System.Diagnostics;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>A source of a real etcd.</summary>
public sealed class SourceTests(ITestOutputHelper output)
{
    private const int TestLimit = 180_000;

    private readonly LogCollector _logs = new();

    [Fact(Timeout = TestLimit)]
    public async Task Keys_are_listed_and_each_change_is_reported()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await etcd.Api.PutAsync("/orders/1", "mux://a:1", ""","zone":"eu","weight":7""");
        await etcd.Api.PutAsync("/orders2/1", "mux://other:1");
        await using var sets = ObservedSets.Watch(Source(etcd.Member));
        Assert.Equal(new MuxEndpoint(MuxAddress.Parse("mux://a:1")) { Zone = "eu", Weight = 7, Instance = "1" }, Assert.Single(await sets.ReachAsync("mux://a:1")));
        await etcd.Api.PutAsync("/orders/2", "mux://b:1");
        await sets.ReachAsync("mux://a:1", "mux://b:1");
        await etcd.Api.PutAsync("/orders/2", "mux://c:1");
        await sets.ReachAsync("mux://a:1", "mux://c:1");
        await etcd.Api.PutAsync("/orders/3", "nothing");
        await etcd.Api.DeleteAsync("/orders/1");
        await sets.ReachAsync("mux://c:1");
        await etcd.Api.DeleteAsync("/orders/2");
        Assert.Empty(await sets.ReachAsync());
        Assert.Single(_logs.Of("EtcdValueUnreadable"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_changed_and_was_compacted_while_the_source_was_cut_off_is_there_afterwards()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await using var proxy = FaultProxy.Start(MuxAddress.Parse($"mux://{etcd.Member}"));
        await etcd.Api.PutAsync("/orders/1", "mux://a:1");
        await etcd.Api.PutAsync("/orders/2", "mux://b:1");
        await using var sets = ObservedSets.Watch(Source($"127.0.0.1:{proxy.Address.Port}"));
        await sets.ReachAsync("mux://a:1", "mux://b:1");
        await etcd.Api.PutAsync("/orders/3", "mux://c:1");
        await sets.ReachAsync("mux://a:1", "mux://b:1", "mux://c:1");
        proxy.ResetAll();
        await etcd.Api.DeleteAsync("/orders/1");
        await etcd.Api.PutAsync("/orders/4", "mux://d:1");
        await etcd.Api.CompactAsync();
        await sets.ReachAsync("mux://b:1", "mux://c:1", "mux://d:1");
        await _logs.ReachAsync("EtcdWatchRestored");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_restart_of_etcd_keeps_the_endpoints_and_is_healed_after_its_return()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await etcd.Api.PutAsync("/orders/1", "mux://a:1");
        await using var sets = ObservedSets.Watch(Source(etcd.Member));
        await sets.ReachAsync("mux://a:1");
        await etcd.KillAsync();
        await _logs.ReachAsync("EtcdWatchLost");
        await etcd.RestartAsync();
        long returned = Stopwatch.GetTimestamp();
        await etcd.Api.PutAsync("/orders/2", "mux://b:1");
        Assert.Equal((1, false), (sets.Count, sets.HasEnded));
        await sets.ReachAsync("mux://a:1", "mux://b:1");
        TellHealed(returned);
        await _logs.ReachAsync("EtcdWatchRestored");
        Assert.Single(_logs.Of("EtcdWatchLost"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_without_a_majority_is_noticed_and_the_endpoints_are_kept()
    {
        var members = await EtcdProcess.StartClusterAsync(3);
        await using var first = members[0];
        await using var second = members[1];
        await using var third = members[2];
        await first.Api.PutAsync("/orders/1", "mux://a:1");
        await using var sets = ObservedSets.Watch(Source(first.Member));
        await sets.ReachAsync("mux://a:1");
        await second.KillAsync();
        await third.KillAsync();
        var entry = Assert.Single(await _logs.ReachAsync("EtcdWatchLost"));
        output.WriteLine(entry.Text);
        Assert.Equal((1, false), (sets.Count, sets.HasEnded));
        await second.RestartAsync();
        long returned = Stopwatch.GetTimestamp();
        await second.Api.PutAsync("/orders/2", "mux://b:1");
        await sets.ReachAsync("mux://a:1", "mux://b:1");
        TellHealed(returned);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_that_dies_is_replaced_by_another_one()
    {
        var members = await EtcdProcess.StartClusterAsync(3);
        await using var first = members[0];
        await using var second = members[1];
        await using var third = members[2];
        await using var sets = ObservedSets.Watch(Source(string.Join(',', members.Select(member => member.Member))));
        await sets.ReachAsync();
        await first.KillAsync();
        await second.ServesAsync();
        await second.Api.PutAsync("/orders/1", "mux://a:1");
        await sets.ReachAsync("mux://a:1");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_cluster_that_is_not_there_fails_the_watch_and_is_named()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await etcd.KillAsync();
        await using var sets = ObservedSets.Watch(Source(etcd.Member));
        Assert.Equal($"No member of etcd has answered /v3/kv/range: {etcd.Member}: Connection refused.", (await sets.FailAsync()).Message);
    }

    private EtcdEndpointSource Source(string members) => new($"mux+etcd://{members}/orders", loggers: _logs);

    // The goal is 5 s; a test on a shared machine asserts no time. What is asked between two attempts is held with fake time.
    private void TellHealed(long since) =>
        output.WriteLine($"Healed {Stopwatch.GetElapsedTime(since).TotalSeconds:F2} s after the return of etcd.");
}
