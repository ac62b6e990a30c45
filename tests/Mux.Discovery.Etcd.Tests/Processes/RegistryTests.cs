using System.Diagnostics;
using Mux.TestSupport.EndToEnd;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>Registrations in a real etcd.</summary>
public sealed class RegistryTests(ITestOutputHelper output)
{
    private const int TestLimit = 180_000;
    private const string Prefix = "/orders/";

    private static readonly EtcdRegistrationOptions s_brief = new() { Lease = TimeSpan.FromSeconds(3) };

    private readonly LogCollector _logs = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_server_is_found_until_it_is_withdrawn()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(Target(etcd)));
        await sets.ReachAsync();
        var endpoint = new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")) { Zone = "eu", Weight = 7, Instance = "one" };
        using var registry = new EtcdEndpointRegistry(Target(etcd));
        await registry.RegisterAsync(endpoint, CancellationToken.None);
        Assert.Equal(endpoint, Assert.Single(await sets.ReachAsync("mux://10.0.0.7:7070")));
        await registry.DeregisterAsync(CancellationToken.None);
        Assert.Empty(await etcd.Api.ListAsync(Prefix));
        await sets.ReachAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registration_lives_longer_than_its_lease_also_beyond_a_restart_of_etcd()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        using var registry = new EtcdEndpointRegistry(Target(etcd), s_brief, _logs);
        await registry.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")), CancellationToken.None);
        await SecondsPassAsync(etcd, 6);
        Assert.Single(await etcd.Api.ListAsync(Prefix));
        await etcd.KillAsync();
        await _logs.ReachAsync("RegistrationLost");
        await etcd.RestartAsync();
        await _logs.ReachAsync("Registered");
        await SecondsPassAsync(etcd, 6);
        Assert.Single(await etcd.Api.ListAsync(Prefix));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_lease_that_etcd_has_ended_is_replaced()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        using var registry = new EtcdEndpointRegistry(Target(etcd), loggers: _logs);
        await registry.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")), CancellationToken.None);
        await etcd.Api.RevokeLeasesAsync();
        long ended = Stopwatch.GetTimestamp();
        Assert.Empty(await etcd.Api.ListAsync(Prefix));
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 1, "the return of the key");
        // A third of the lease, 5 s, which fake time holds: a test on a shared machine asserts no time.
        output.WriteLine($"The key was back after {Stopwatch.GetElapsedTime(ended).TotalSeconds:F2} s.");
        await _logs.ReachAsync("Registered");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_key_that_was_deleted_by_hand_stays_deleted()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        using var registry = new EtcdEndpointRegistry(Target(etcd), s_brief, _logs);
        await registry.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")) { Instance = "one" }, CancellationToken.None);
        await etcd.Api.DeleteAsync("/orders/one");
        await SecondsPassAsync(etcd, 4);
        Assert.Empty(await etcd.Api.ListAsync(Prefix));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_process_that_was_stopped_for_longer_than_its_lease_is_back()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await using var server = await RegisteredServer.StartAsync(Target(etcd));
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 1, "the registration of the server");
        Assert.Contains($"\"{server.Address}\"", etcd.Api.List(Prefix)[0].Value, StringComparison.Ordinal);
        Signals.Send(server.Id, Signals.Stop);
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 0, "the end of the lease of a stopped process");
        Signals.Send(server.Id, Signals.Continue);
        long continued = Stopwatch.GetTimestamp();
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 1, "the return of the registration");
        output.WriteLine($"The registration was back {Stopwatch.GetElapsedTime(continued).TotalSeconds:F2} s after the process went on.");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_process_that_is_told_to_end_withdraws_and_one_that_is_killed_is_removed_with_its_lease()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await using var orderly = await RegisteredServer.StartAsync(Target(etcd));
        await using var killed = await RegisteredServer.StartAsync(Target(etcd));
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 2, "the registration of both servers");
        await orderly.EndAsync(Signals.Terminate);
        Assert.Contains(killed.Address, Assert.Single(await etcd.Api.ListAsync(Prefix)).Value, StringComparison.Ordinal);
        await killed.EndAsync(Signals.Kill);
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 0, "the end of the lease of a killed process");
    }

    private static string Target(EtcdProcess etcd) => $"mux+etcd://{etcd.Member}/orders";

    /// <summary>Lets time pass on the clock of etcd: a lease that nobody renews ends.</summary>
    private static async Task SecondsPassAsync(EtcdProcess etcd, int seconds)
    {
        var lease = await etcd.Api.PostAsync("/v3/lease/grant", new { TTL = seconds });
        await etcd.Api.PostAsync("/v3/kv/put", new { key = "Y2xvY2s=", value = "", lease = lease.GetProperty("ID").GetString() }); // clock
        await Eventually.Holds(() => etcd.Api.List("clock").Length == 0, $"{seconds} s on the clock of etcd");
    }
}
