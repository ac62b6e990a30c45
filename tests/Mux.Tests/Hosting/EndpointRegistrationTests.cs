using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.Discovery;
using Mux.Hosting;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>A server in a host is registered while it serves, whatever the discovery system does.</summary>
public sealed class EndpointRegistrationTests : HostingTests
{
    private static readonly MuxEndpoint s_endpoint = new(MuxAddress.Parse("mux://10.0.0.7:0")) { Zone = "eu", Weight = 7, Instance = "one" };

    private readonly ManualTime _time = new();
    private readonly ScriptedRegistry _registry = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_server_is_registered_with_its_port_when_all_services_have_started()
    {
        var builder = NewHostWith();
        var last = new LastService(() => _registry.Registrations.Count);
        builder.Services.AddSingleton<IHostedService>(last);
        await using var host = await StartAsync(builder);
        var entry = Assert.Single(await Logs.ReachAsync("Registered"));
        Assert.Equal(0, last.Seen);
        Assert.Equal(new MuxEndpoint(MuxAddress.Parse("mux://10.0.0.7:7070")) { Zone = "eu", Weight = 7, Instance = "one" }, _registry.Endpoint);
        Assert.Equal((1050, "Mux.Server", "Registered mux://10.0.0.7:7070 in test://registry."), (entry.Id, entry.Category, entry.Text));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_host_that_stops_withdraws_then_serves_for_the_delay_then_drains()
    {
        var withdrawn = new Signal("the test lets the registry answer");
        _registry.OnDeregister = _ => withdrawn.WaitAsync();
        await using var host = await StartAsync(NewHostWith(options => options.StopDelay = TimeSpan.FromSeconds(5)));
        await Logs.ReachAsync("Registered");
        var server = host.Services.GetRequiredService<MuxServer>();

        var stopping = host.StopAsync(TestContext.Current.CancellationToken);
        await _registry.Deregistrations.ReachAsync(1);
        Assert.Equal(MuxServerState.Draining, server.State);
        var desk = host.Services.GetRequiredService<IDesk>();
        Assert.Equal(1, (await desk.AskPlainly(new Question { Id = 1 })).Id); // connects now
        withdrawn.Set();
        await Logs.ReachAsync("RegistrationWithdrawn");
        Assert.Equal(2, (await desk.AskPlainly(new Question { Id = 2 })).Id);
        Assert.Empty(Logs.Of("ClientDraining"));

        int tenths = await PassUntilAsync(stopping);
        Assert.InRange(tenths, 50, int.MaxValue);
        Assert.Equal(["Registered", "RegistrationWithdrawn", "ServerStopped", "ClientDraining"],
            Logs.Entries.Select(entry => entry.Name).Where(name => name is "Registered" or "RegistrationWithdrawn" or "ServerStopped" or "ClientDraining"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registry_that_fails_is_asked_again_and_the_server_serves_meanwhile()
    {
        int failures = 3;
        _registry.OnRegister = _ => failures-- > 0 ? Task.FromException(new IOException("Nobody is there.")) : Task.CompletedTask;
        await using var host = await StartAsync(NewHostWith());
        await Logs.ReachAsync("RegistrationLost");
        Assert.Equal(1, (await host.Services.GetRequiredService<IDesk>().AskPlainly(new Question { Id = 1 })).Id);
        await Eventually.Holds(() => Pass() && Logs.Of("Registered").Count == 1, "the registration");
        Assert.Equal(3, Logs.Of("RegistrationLost").Count);
        Assert.StartsWith("mux://10.0.0.7:7070 is not registered in test://registry, so clients do not find it there: Nobody is there. The server serves, and tries again in ",
            Logs.Of("RegistrationLost")[0].Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Pauses_grow_from_1_to_30_seconds(int seed)
    {
        var pauses = new RegistrationPause(new Random(seed));
        double most = 2;
        for (int i = 0; i < 12; i++)
        {
            Assert.InRange(pauses.Next().TotalSeconds, most / 2, most);
            most = Math.Min(30, most * 2);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registry_that_hangs_delays_the_stop_by_2_seconds()
    {
        _registry.OnDeregister = static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously).Task;
        await using var host = await StartAsync(NewHostWith());
        await Logs.ReachAsync("Registered");
        var stopping = host.StopAsync(TestContext.Current.CancellationToken);
        await _registry.Deregistrations.ReachAsync(1);
        Assert.Empty(Logs.Of("ServerStopped"));
        Assert.InRange(await PassUntilAsync(stopping), 20, int.MaxValue);
        var entry = Assert.Single(Logs.Of("WithdrawFailed"));
        Assert.StartsWith("mux://10.0.0.7:0 could not be withdrawn from test://registry: no answer within 2 s. The server drains all the same", entry.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registry_that_fails_to_withdraw_does_not_fail_the_stop()
    {
        _registry.OnDeregister = static _ => throw new InvalidOperationException("Not today.");
        await using var host = await StartAsync(NewHostWith());
        await Logs.ReachAsync("Registered");
        await host.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the host");
        Assert.Contains("test://registry: Not today. The server drains", Assert.Single(Logs.Of("WithdrawFailed")).Text, StringComparison.Ordinal);
        Assert.Single(Logs.Of("ServerStopped"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registration_that_is_under_way_when_the_host_stops_is_ended_and_withdrawn()
    {
        _registry.OnRegister = static token => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously).Task.WaitAsync(token);
        await using var host = await StartAsync(NewHostWith());
        await _registry.Registrations.ReachAsync(1);
        await host.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the host");
        Assert.Equal(1, _registry.Deregistrations.Count); // it may have been accepted without an answer
        Assert.Empty(Logs.Of("Registered"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registration_that_comes_true_too_late_is_withdrawn_then()
    {
        var accepted = new Signal("the registry accepts late");
        _registry.OnRegister = _ => accepted.WaitAsync();
        await using var host = await StartAsync(NewHostWith());
        await _registry.Registrations.ReachAsync(1);
        await PassUntilAsync(host.StopAsync(TestContext.Current.CancellationToken));
        Assert.Equal(0, _registry.Deregistrations.Count);
        accepted.Set();
        await _registry.Deregistrations.ReachAsync(1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_host_out_of_patience_ends_the_wait_for_the_registry_and_the_delay()
    {
        _registry.OnDeregister = static _ => new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously).Task;
        await using var host = await StartAsync(NewHostWith(options => options.StopDelay = TimeSpan.FromSeconds(5)));
        await Logs.ReachAsync("Registered");
        using var patience = new CancellationTokenSource();
        var stopping = host.StopAsync(patience.Token);
        await _registry.Deregistrations.ReachAsync(1);
        await patience.CancelAsync();
        await Record.ExceptionAsync(() => stopping.Within("the stop of the host")); // the host may say that it was cancelled
        Assert.Single(Logs.Of("ServerStopped"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registry_is_disposed_with_the_host()
    {
        await using (await StartAsync(NewHostWith())) Assert.False(_registry.IsDisposed);
        Assert.True(_registry.IsDisposed);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_registry_that_cannot_be_created_fails_the_start()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>().AddRegistry(s_endpoint, static _ => throw new InvalidOperationException("No registry."));
        Assert.Equal("No registry.", (await FailsToStartAsync<InvalidOperationException>(builder)).Message);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Port_0_needs_a_server_that_listens_itself()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(string.Empty).AddService<IDesk, Desk>().AddRegistry(s_endpoint, _ => _registry);
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.StartsWith("The server cannot be registered in test://registry as mux://10.0.0.7:0: port 0 stands for the port at which the server listens", error.Message, StringComparison.Ordinal);
    }

    private HostApplicationBuilder NewHostWith(Action<MuxServerOptions>? configure = null)
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address, options =>
        {
            options.TimeProvider = _time;
            configure?.Invoke(options);
        }).AddService<IDesk, Desk>().AddRegistry(s_endpoint, _ => _registry);
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>();
        return builder;
    }

    /// <summary>Lets time pass until the host has stopped.</summary>
    /// <returns>Tenths of a second that passed, and a few more: the clock moves on while the host notices.</returns>
    private async Task<int> PassUntilAsync(Task stopped)
    {
        int tenths = 0;
        await Eventually.Holds(() => stopped.IsCompleted || (Pass() && tenths++ < 0), "the stop of the host");
        await stopped;
        return tenths;
    }

    private bool Pass()
    {
        _time.Advance(TimeSpan.FromSeconds(0.1));
        return true;
    }

    /// <summary>A service that starts after the server.</summary>
    private sealed class LastService(Func<long> look) : IHostedService
    {
        public long Seen { get; private set; } = -1;

        public Task StartAsync(CancellationToken cancellationToken)
        {
            Seen = look();
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
