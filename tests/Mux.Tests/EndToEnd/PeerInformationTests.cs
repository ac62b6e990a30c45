using System.Runtime.InteropServices;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>What a peer announces for information (settings 7, 10 and 11 of HELLO) is in the log when the connection opens.</summary>
public sealed partial class PeerInformationTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task Both_sides_log_the_instance_of_the_peer_and_after_what_time_it_ends_the_connection()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.IdleTimeout = TimeSpan.FromMinutes(5));
        var channel = scene.CreateChannel(server, options => (options.IdleTimeout, options.PeerName) = (TimeSpan.FromMinutes(4), "till 7"));
        await channel.ConnectAsync(TestContext.Current.CancellationToken);

        var atServer = Assert.Single(await scene.Logs.ReachAsync("ServerConnectionOpened")).Text;
        var atClient = Assert.Single(await scene.Logs.ReachAsync("ClientConnectionOpened")).Text;

        Assert.Contains("(till 7) is open: instance ", atServer, StringComparison.Ordinal);
        Assert.EndsWith(", idle time 240000 ms.", atServer, StringComparison.Ordinal);
        Assert.EndsWith(", idle time 300000 ms.", atClient, StringComparison.Ordinal);
        Assert.Equal(InstanceIn(atServer), InstanceIn(atClient)); // both are of this process
        Assert.NotEqual(Guid.Empty, InstanceIn(atClient));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_at_a_Unix_domain_socket_is_named_by_its_user_because_it_has_no_address()
    {
        var scene = Begin(TransportKind.Unix);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.MaxConnections = 1);
        var channel = scene.CreateChannel(server);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        await Assert.ThrowsAsync<MuxException>(() => scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken));
        await channel.DisposeAsync();

        var texts = new[] { "ServerConnectionOpened", "ServerConnectionRefused", "ServerConnectionClosed" }.Select(async name => (await scene.Logs.ReachAsync(name))[0].Text);

        var name = OperatingSystem.IsLinux() ? $"Connection from this machine (uid {GetUser()}) " : "Connection from this machine ";
        Assert.All(await Task.WhenAll(texts), text => Assert.StartsWith(name, text, StringComparison.Ordinal));
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint GetUser();

    private static Guid InstanceIn(string text)
    {
        const string Before = "instance ";
        return Guid.Parse(text.AsSpan(text.IndexOf(Before, StringComparison.Ordinal) + Before.Length, 36));
    }
}
