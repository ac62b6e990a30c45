using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Discovery.Etcd.Tests.Processes;

/// <summary>A channel with an address of etcd, servers that register there, and callers that must not notice what happens to either. All are processes of their own but the channel.</summary>
public sealed class ChannelTests(ITestOutputHelper output)
{
    private const int TestLimit = 240_000;
    private const int CallerCount = 8;
    private const string Prefix = "/orders/";

    /// <summary>Twice the leases of the servers. Before a release, .ci/long makes it a minute.</summary>
    private static readonly TimeSpan s_down = TimeSpan.FromSeconds(int.TryParse(Environment.GetEnvironmentVariable("MUX_ETCD_DOWN_SECONDS"), out int seconds) ? seconds : 6);

    [Fact(Timeout = TestLimit)]
    public async Task No_call_fails_while_servers_and_etcd_stop_and_start()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await using var first = await StartServerAsync(etcd, registered: 1);
        await using var second = await StartServerAsync(etcd, registered: 2);
        await using var services = Connect(etcd);
        var (channel, desk) = (services.GetRequiredService<MuxChannel>(), services.GetRequiredService<IDesk>());
        await using var callers = new Callers(CallerCount, async () => await desk.AskPlainly(new Question()));
        await OpenAsync(channel, first, second);
        await callers.PassAsync(200);

        await first.EndAsync(Signals.Terminate);
        await callers.PassAsync(200);
        Tell("a server has stopped");

        await etcd.KillAsync();
        await etcd.RestartAsync();
        await using var third = await StartServerAsync(etcd, registered: 2);
        await OpenAsync(channel, second, third);
        await callers.PassAsync(200);
        Tell("etcd was restarted, and a new server is found");

        await etcd.KillAsync();
        long down = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(down) < s_down) await callers.PassAsync(100);
        await third.EndAsync(Signals.Terminate); // it cannot withdraw
        await callers.PassAsync(200);
        await etcd.RestartAsync();
        long up = Stopwatch.GetTimestamp();
        await using var fourth = await StartServerAsync(etcd, registered: null);
        await OpenAsync(channel, second, fourth);
        Tell($"etcd was down for {s_down.TotalSeconds:F0} s, longer than the leases; a new server is in use {Stopwatch.GetElapsedTime(up).TotalSeconds:F1} s after its return");

        await etcd.KillAsync();
        await etcd.RestartAsync();
        for (int i = 0; i < 10; i++) await etcd.Api.PutAsync("/stock/one", $"mux://10.0.0.{i}:7070");
        await etcd.Api.CompactAsync();
        await using var fifth = await StartServerAsync(etcd, registered: null);
        await OpenAsync(channel, second, fourth, fifth);
        await callers.PassAsync(200);
        Tell("etcd was compacted while its watch was lost");

        await etcd.Api.RevokeLeasesAsync();
        long revoked = Stopwatch.GetTimestamp();
        await callers.PassAsync(200); // the channel keeps what is open, although etcd names no server
        await Eventually.Holds(() => etcd.Api.List(Prefix).Length == 3, "the registrations to return");
        Tell($"all leases were dead; the servers were registered again after {Stopwatch.GetElapsedTime(revoked).TotalSeconds:F1} s");
        await callers.PassAsync(200);
        await callers.EndAsync().Within("the callers");
        Assert.Empty(callers.Failures);

        void Tell(string what) => output.WriteLine($"{callers.Answered} calls answered, {callers.Failures.Length} failed: {what}.");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_killed_fails_at_most_the_calls_that_it_had()
    {
        await using var etcd = await EtcdProcess.StartAsync();
        await using var first = await StartServerAsync(etcd, registered: 1);
        await using var second = await StartServerAsync(etcd, registered: 2);
        await using var services = Connect(etcd);
        var (channel, desk) = (services.GetRequiredService<MuxChannel>(), services.GetRequiredService<IDesk>());
        await using var callers = new Callers(CallerCount, async () => await desk.AskPlainly(new Question()));
        await OpenAsync(channel, first, second);
        await callers.PassAsync(200);

        await first.EndAsync(Signals.Kill);
        await callers.PassAsync(500);
        await Eventually.Holds(() => channel.GetEndpoints().Count == 1, "the end of the lease of the killed server");
        await callers.PassAsync(200);
        await callers.EndAsync().Within("the callers");
        var failures = callers.Failures;
        output.WriteLine($"{failures.Length} calls failed: {failures.FirstOrDefault()?.Message}");
        Assert.InRange(failures.Length, 0, CallerCount);
        Assert.All(failures, failure => Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution)));
    }

    /// <summary>A channel of a host, as an application has it.</summary>
    private static ServiceProvider Connect(EtcdProcess etcd)
    {
        var services = new ServiceCollection();
        services.AddMuxClient(Target(etcd)).UseEtcd().AddProxy<IDesk>();
        return services.BuildServiceProvider();
    }

    private static async Task<RegisteredServer> StartServerAsync(EtcdProcess etcd, int? registered)
    {
        var server = await RegisteredServer.StartAsync(Target(etcd));
        if (registered is { } count) await Eventually.Holds(() => etcd.Api.List(Prefix).Length == count, $"{count} registered servers");
        return server;
    }

    /// <summary>Waits until the channel has open connections to these servers.</summary>
    private static Task OpenAsync(MuxChannel channel, params RegisteredServer[] servers) => Eventually.Holds(
        () => servers.All(server => channel.GetEndpoints().Any(known => known.IsOpen && known.Endpoint.Address.ToString() == server.Address)),
        () => $"connections to {string.Join(", ", servers.Select(server => server.Address))}; there are {string.Join(", ", channel.GetEndpoints())}");

    private static string Target(EtcdProcess etcd) => $"mux+etcd://{etcd.Member}/orders";
}
