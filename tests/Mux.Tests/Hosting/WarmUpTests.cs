using System.Security.Cryptography;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>Clients that connect while their host starts.</summary>
public sealed class WarmUpTests : HostingTests
{
    private const string TenSeconds = "00:00:10", Longest = "00:10:00";

    private readonly ManualTime _time = new();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_host_that_has_started_has_the_connections_of_its_clients_only_if_they_ask_for_it(bool asks)
    {
        await using var server = await StartAsync(NewServer());
        var builder = NewHost(("Mux:Clients:orders:WarmUpTime", asks ? TenSeconds : "00:00:00"), ("Mux:Clients:Default:WarmUpTime", asks ? TenSeconds : "00:00:00"));
        builder.Services.AddKeyedMuxClient("orders", Address);
        builder.Services.AddMuxClient(Address);
        await using var host = await StartAsync(builder);
        var channels = (MuxChannel[])[host.Services.GetRequiredService<MuxChannel>(), host.Services.GetRequiredKeyedService<MuxChannel>("orders")];
        Assert.All(channels, channel => Assert.Equal(asks, channel.GetEndpoints()[0].IsOpen));
        Assert.Empty(Logs.Of("ClientNotConnected"));
    }

    [Fact]
    public async Task A_client_connects_to_the_server_of_its_own_host()
    {
        var builder = NewServer(("Mux:Clients:Default:WarmUpTime", TenSeconds), ("Mux:Clients:Default:RequireWarmUp", "true"));
        builder.Services.AddMuxClient(Address);
        await using var host = await StartAsync(builder);
        Assert.True(host.Services.GetRequiredService<MuxChannel>().GetEndpoints()[0].IsOpen);
    }

    [Fact]
    public async Task A_host_starts_without_its_servers_when_the_time_is_over_and_tells_it()
    {
        var builder = NewHost(("Mux:Clients:orders:WarmUpTime", Longest));
        builder.Services.AddKeyedMuxClient("orders", Address, options => options.TimeProvider = _time);
        var starting = StartAsync(builder);
        await PassTimeAsync();
        await using var host = await starting;
        var entry = Assert.Single(Logs.Of("ClientNotConnected"));
        Assert.Equal((2061, LogLevel.Warning), (entry.Id, entry.Level));
        Assert.StartsWith("The client 'orders' was not connected within 600 s: ", entry.Text, StringComparison.Ordinal);
        Assert.Contains(Address, entry.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_whose_time_is_over_while_OnOpened_runs_does_not_blame_the_servers()
    {
        await using var server = await StartAsync(NewServer());
        var builder = NewHost(("Mux:Clients:orders:WarmUpTime", "00:00:01"));
        Signal runs = new("OnOpened runs"), ends = new("OnOpened may end");
        builder.Services.AddKeyedMuxClient("orders", Address, options => options.TimeProvider = _time).OnOpened(async (_, _) =>
        {
            runs.Set();
            await ends.WaitAsync();
        });
        var starting = StartAsync(builder);
        await runs.WaitAsync();
        _time.Advance(TimeSpan.FromSeconds(1));
        await using var host = await starting;
        ends.Set();
        var told = Assert.Single(Logs.Of("ClientNotConnected")).Text;
        Assert.Contains("a connection is open, and OnOpened has not ended on it.", told, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_whose_client_must_be_connected_does_not_start_without_its_servers()
    {
        var builder = NewHost(("Mux:Clients:orders:WarmUpTime", Longest), ("Mux:Clients:orders:RequireWarmUp", "true"));
        builder.Services.AddKeyedMuxClient("orders", Address, options => options.TimeProvider = _time);
        var starting = FailsToStartAsync<InvalidOperationException>(builder);
        await PassTimeAsync();
        var error = await starting;
        Assert.StartsWith("The client 'orders' was not connected within 600 s (WarmUpTime), and RequireWarmUp is true: ", error.Message, StringComparison.Ordinal);
        Assert.IsType<MuxException>(error.InnerException);
    }

    [Fact]
    public async Task A_server_that_starts_meanwhile_is_found_before_the_host_has_started()
    {
        var builder = NewHost(("Mux:Clients:orders:WarmUpTime", "00:01:00"));
        builder.Services.AddKeyedMuxClient("orders", Address);
        var host = builder.Build();
        var started = host.StartAsync(TestContext.Current.CancellationToken);
        await Logs.ReachAsync("ClientConnectFailed");
        Assert.False(started.IsCompleted);
        await using var server = await StartAsync(NewServer());
        await started.Within("the start of the host");
        await using var running = new RunningHost(host);
        Assert.True(running.Services.GetRequiredKeyedService<MuxChannel>("orders").GetEndpoints()[0].IsOpen);
    }

    [Fact]
    public async Task A_credential_that_is_rejected_is_not_shown_again_while_the_host_starts()
    {
        SharedKey Key() => new("orders", RandomNumberGenerator.GetBytes(32));
        var builder = NewHost();
        builder.Services.AddMuxServer(Address, options => options.Identity = new MuxIdentityOptions { SharedKeys = { Key() } }).AddService<IDesk, Desk>();
        await using var server = await StartAsync(builder);
        builder = NewHost(("Mux:Clients:orders:WarmUpTime", Longest));
        builder.Services.AddKeyedMuxClient("orders", Address, options => (options.TimeProvider, options.Credentials) = (_time, new SharedKeyCredentials(Key())));
        await using var host = await StartAsync(builder);
        Assert.StartsWith("The client 'orders' was not connected within 600 s: ", Assert.Single(Logs.Of("ClientNotConnected")).Text, StringComparison.Ordinal);
        Assert.Single(Logs.Of("ClientConnectFailed"));
    }

    [Fact]
    public async Task A_start_that_is_given_up_is_not_blamed_on_the_client()
    {
        var builder = NewHost(("Mux:Clients:orders:WarmUpTime", Longest), ("Mux:Clients:orders:RequireWarmUp", "true"));
        builder.Services.AddKeyedMuxClient("orders", Address, options => options.TimeProvider = _time);
        using var host = builder.Build();
        using var patience = new CancellationTokenSource();
        var starting = host.StartAsync(patience.Token);
        await Logs.ReachAsync("ClientConnectFailed");
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => starting.Within("the end of the start"));
    }

    /// <summary>Lets the time of the warm-up pass after a first attempt has failed: the second dial shows that its failure is known.</summary>
    private async Task PassTimeAsync()
    {
        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromMilliseconds(50)); // pauses between attempts
                return Logs.Of("ClientConnectFailed").Count >= 2;
            },
            "two failed dials");
        _time.Advance(TimeSpan.FromMinutes(10));
    }

    private HostApplicationBuilder NewServer(params (string Key, string Value)[] configuration)
    {
        var builder = NewHost(configuration);
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        return builder;
    }
}
