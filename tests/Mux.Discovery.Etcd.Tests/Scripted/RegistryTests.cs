using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>A registration at a cluster in states that are rare.</summary>
public sealed class RegistryTests : IDisposable
{
    private const int TestLimit = 90_000;

    private static readonly MuxEndpoint s_endpoint = new(MuxAddress.Parse("mux://10.0.0.7:7070")) { Zone = "eu", Instance = "one" };

    private readonly LogCollector _logs = new();
    private readonly CountedTimers _time = new();
    private EtcdEndpointRegistry? _registry;
    private int _waits = 1; // of the registry, once it is registered

    [Fact(Timeout = TestLimit)]
    public async Task A_key_is_written_under_a_lease_of_15_seconds()
    {
        await using var etcd = await RegisterAsync();
        Assert.Equal(["lease/grant", "kv/put"], etcd.Paths);
        Assert.Equal("15", etcd.Requests[0].Body.GetProperty("TTL").GetString());
        var put = etcd.Requests[1].Body;
        Assert.Equal((ScriptedEtcd.Base64("/orders/one"), "77"), (put.GetProperty("key").GetString(), put.GetProperty("lease").GetString()));
        Assert.Equal(ScriptedEtcd.Base64("""{"address":"mux://10.0.0.7:7070","zone":"eu","weight":100}"""), put.GetProperty("value").GetString());
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_lease_is_renewed_after_each_third_of_its_time()
    {
        await using var etcd = await RegisterAsync();
        for (int i = 1; i <= 4; i++)
        {
            await PassAsync(etcd, TimeSpan.FromSeconds(5));
            await etcd.ReachAsync("lease/keepalive", i);
        }

        Assert.All(etcd.Requests.Skip(2), request => Assert.Equal(("/v3/lease/keepalive", "77"), (request.Path, request.Body.GetProperty("ID").GetString())));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_renewal_that_is_answered_without_a_time_writes_the_key_anew()
    {
        await using var etcd = await RegisterAsync();
        etcd.Answer("/v3/lease/keepalive", """{"result":{"header":{},"ID":"77"}}""");
        etcd.Answer("/v3/lease/grant", """{"header":{},"ID":"78","TTL":"15"}""");
        await PassAsync(etcd, TimeSpan.FromSeconds(5));
        await _logs.ReachAsync("Registered");
        Assert.Equal(["lease/grant", "kv/put", "lease/keepalive", "lease/grant", "kv/put"], etcd.Paths);
        Assert.Equal("78", etcd.Requests[^1].Body.GetProperty("lease").GetString());
        Assert.Equal((1051, $"The registration of mux://10.0.0.7:7070 in {etcd.Target} is lost, or will be when its lease ends: etcd has ended its lease. The server serves, and registers again."),
            Assert.Single(_logs.Of("RegistrationLost")) is var entry ? (entry.Id, entry.Text) : default);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_renewal_that_fails_is_repeated_within_2_seconds_and_logged_once()
    {
        await using var etcd = await RegisterAsync();
        etcd.Answer("/v3/lease/keepalive", """{"error":"etcdserver: no leader","code":14}""", status: 503);
        await PassAsync(etcd, TimeSpan.FromSeconds(5));
        await etcd.ReachAsync("lease/keepalive", 1);
        await PassAsync(etcd, TimeSpan.FromSeconds(2));
        await etcd.ReachAsync("lease/keepalive", 2);
        await _logs.ReachAsync("RegistrationLost");
        etcd.Answer("/v3/lease/keepalive", """{"result":{"header":{},"ID":"77","TTL":"15"}}""");
        await PassAsync(etcd, TimeSpan.FromSeconds(2));
        await _logs.ReachAsync("Registered");
        Assert.Single(_logs.Of("RegistrationLost"));
        Assert.Single(etcd.Paths, path => path == "kv/put");
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_attempt_that_failed_is_continued_with_its_lease()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.Answer("/v3/kv/put", """{"error":"etcdserver: request timed out","code":14}""", status: 503);
        _registry = new EtcdEndpointRegistry(etcd.Target, loggers: _logs, time: _time);
        var error = await Assert.ThrowsAnyAsync<IOException>(() => _registry.RegisterAsync(s_endpoint, CancellationToken.None));
        Assert.Equal($"No member of etcd has answered /v3/kv/put: {etcd.Member}: etcdserver: request timed out.", error.Message);
        etcd.Answer("/v3/kv/put", "{}");
        await _registry.RegisterAsync(s_endpoint, CancellationToken.None);
        Assert.Equal(["lease/grant", "kv/put", "lease/keepalive", "kv/put"], etcd.Paths);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Deregistration_ends_the_lease_and_its_renewals()
    {
        await using var etcd = await RegisterAsync();
        await _registry!.DeregisterAsync(CancellationToken.None);
        Assert.Equal(["lease/grant", "kv/put", "lease/revoke"], etcd.Paths);
        Assert.Equal(0, _time.Armed);
        await _registry.DeregisterAsync(CancellationToken.None);
        Assert.Equal(3, etcd.Paths.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registration_that_was_not_answered_is_withdrawn_all_the_same()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        etcd.Hang("/v3/kv/put");
        _registry = new EtcdEndpointRegistry(etcd.Target, time: _time);
        using var patience = new CancellationTokenSource();
        var registering = _registry.RegisterAsync(s_endpoint, patience.Token);
        await etcd.ReachAsync("kv/put", 1);
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => registering);
        await _registry.DeregisterAsync(CancellationToken.None);
        Assert.Equal("lease/revoke", etcd.Paths[^1]);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Deregistration_waits_for_etcd_as_long_as_it_may()
    {
        await using var etcd = await RegisterAsync();
        etcd.Hang("/v3/lease/revoke");
        using var patience = new CancellationTokenSource();
        var leaving = _registry!.DeregisterAsync(patience.Token);
        await etcd.ReachAsync("lease/revoke", 1);
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => leaving.Within("the end of the deregistration"));
        await _registry.DeregisterAsync(CancellationToken.None);
        Assert.Single(etcd.Paths, path => path == "lease/revoke");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Another_endpoint_takes_the_place_of_the_first_one()
    {
        await using var etcd = await RegisterAsync();
        await _registry!.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.8:7070")), CancellationToken.None);
        Assert.Equal(["lease/grant", "kv/put", "lease/revoke", "lease/grant", "kv/put"], etcd.Paths);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_instance_and_a_port_are_checked()
    {
        _registry = new EtcdEndpointRegistry("mux+etcd://127.0.0.1:1/orders");
        var slash = new MuxEndpoint(MuxAddress.Parse("mux://h:1")) { Instance = "a/b" };
        var error = await Assert.ThrowsAsync<ArgumentException>(() => _registry.RegisterAsync(slash, CancellationToken.None));
        Assert.Contains("The instance 'a/b' is not allowed: expected 1 to 128 characters", error.Message, StringComparison.Ordinal);
        error = await Assert.ThrowsAsync<ArgumentException>(() => _registry.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://h:0")), CancellationToken.None));
        Assert.Contains("mux://h:0 has port 0", error.Message, StringComparison.Ordinal);
    }

    public void Dispose() => _registry?.Dispose();

    private async Task<ScriptedEtcd> RegisterAsync()
    {
        var etcd = await ScriptedEtcd.StartAsync();
        _registry = new EtcdEndpointRegistry(etcd.Target, loggers: _logs, time: _time);
        await _registry.RegisterAsync(s_endpoint, CancellationToken.None).Within("the registration");
        return etcd;
    }

    /// <summary>Moves the clock once the registry waits for it: each request has made a timer, and each wait.</summary>
    private async Task PassAsync(ScriptedEtcd etcd, TimeSpan time)
    {
        await Eventually.Holds(() => _time.Created == etcd.Paths.Count + _waits, "the wait for the next renewal");
        _waits++;
        _time.Advance(time);
    }
}
