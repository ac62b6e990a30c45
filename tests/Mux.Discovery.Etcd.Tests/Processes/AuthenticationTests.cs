using System.Text;
using Mux.TestSupport.EndToEnd;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>An etcd that asks for a user.</summary>
public sealed class AuthenticationTests
{
    private const int TestLimit = 180_000;

    private readonly LogCollector _logs = new();

    [Fact(Timeout = TestLimit)]
    public async Task Users_find_and_register_servers_also_when_etcd_has_forgotten_their_tokens()
    {
        await using var etcd = await StartAsync();
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(Target(etcd), new EtcdOptions { User = "reader", Password = "secret" }, _logs));
        await sets.ReachAsync();
        using var registry = new EtcdEndpointRegistry(Target(etcd), new EtcdRegistrationOptions { User = "writer", Password = "secret" }, _logs);
        await registry.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")), CancellationToken.None);
        await sets.ReachAsync("mux://10.0.0.7:7070");
        await etcd.KillAsync();
        await _logs.ReachAsync("EtcdWatchLost");
        await etcd.RestartAsync();
        await _logs.ReachAsync("EtcdWatchRestored");
        await registry.DeregisterAsync(CancellationToken.None);
        await sets.ReachAsync();
        Assert.DoesNotContain(_logs.Entries, entry => entry.Text.Contains("secret", StringComparison.Ordinal) || entry.Error?.ToString().Contains("secret", StringComparison.Ordinal) == true);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_missing_user_a_wrong_password_and_a_missing_permission_are_named()
    {
        await using var etcd = await StartAsync();
        Assert.Equal($"etcd at {etcd.Member} refuses /v3/kv/range: etcdserver: user name is empty.", await FailAsync(new EtcdOptions()));
        Assert.Equal($"etcd at {etcd.Member} refuses /v3/auth/authenticate: etcdserver: authentication failed, invalid user ID or password.",
            await FailAsync(new EtcdOptions { User = "reader", Password = "wrong secret" }));
        using var registry = new EtcdEndpointRegistry(Target(etcd), new EtcdRegistrationOptions { User = "reader", Password = "secret" });
        var error = await Assert.ThrowsAnyAsync<IOException>(() => registry.RegisterAsync(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")), CancellationToken.None));
        Assert.Equal($"etcd at {etcd.Member} refuses /v3/kv/put: etcdserver: permission denied.", error.Message);

        async Task<string> FailAsync(EtcdOptions options)
        {
            await using var sets = ObservedSets.Watch(new EtcdEndpointSource(Target(etcd), options));
            return (await sets.FailAsync()).Message;
        }
    }

    private static string Target(EtcdProcess etcd) => $"mux+etcd://{etcd.Member}/orders";

    private static async Task<EtcdProcess> StartAsync()
    {
        var etcd = await EtcdProcess.StartAsync();
        await AddUserAsync("root", permission: null);
        await AddUserAsync("reader", "READ");
        await AddUserAsync("writer", "READWRITE");
        await etcd.Api.PostAsync("/v3/auth/enable", new { });
        return etcd;

        async Task AddUserAsync(string name, string? permission)
        {
            await etcd.Api.PostAsync("/v3/auth/user/add", new { name, password = "secret" });
            await etcd.Api.PostAsync("/v3/auth/role/add", new { name });
            await etcd.Api.PostAsync("/v3/auth/user/grant", new { user = name, role = name });
            if (permission is null) return;
            await etcd.Api.PostAsync("/v3/auth/role/grant", new { name, perm = new { permType = permission, key = Base64("/orders/"), range_end = Base64("/orders0") } });
        }

        static string Base64(string text) => Convert.ToBase64String(Encoding.UTF8.GetBytes(text));
    }
}
