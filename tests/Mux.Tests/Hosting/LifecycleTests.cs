using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Sockets;

namespace Mux.Tests.Hosting;

/// <summary>A host with a server starts and stops as a host should.</summary>
public sealed class LifecycleTests : HostingTests
{
    [Fact]
    public async Task A_port_in_use_fails_the_start_of_the_host_and_is_named()
    {
        using var occupant = new SocketTransport().Listen(MuxAddress.Parse("mux://127.0.0.1:0"), link => link.Close());
        var builder = NewHost();
        builder.Services.AddMuxServer(occupant.Address.ToString(), options => options.Transport = null).AddService<IDesk, Desk>();
        var error = await FailsToStartAsync<IOException>(builder);
        Assert.Equal($"Cannot listen at {occupant.Address}: the address is in use.", error.Message);
    }

    [Fact]
    public async Task A_service_that_cannot_be_created_fails_the_start_of_the_host_and_is_named()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IDesk, DeskWithoutItsPart>();
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        Assert.Contains(nameof(DeskWithoutItsPart), error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_host_that_stops_lets_open_calls_finish()
    {
        var answer = new Signal("the test lets the handler answer");
        var desk = Desk.AnsweringAfter(answer);
        await using var host = await StartAsync(NewHostWith(desk));
        var call = host.Services.GetRequiredService<IDesk>().AskPlainly(new Question { Id = 3 }).AsTask();
        await desk.Started.ReachAsync(1);

        var stopping = host.StopAsync(TestContext.Current.CancellationToken);
        await Logs.ReachAsync("ClientDraining");
        Assert.False(stopping.IsCompleted);
        answer.Set();
        Assert.Equal(3, (await call.Within("the reply")).Id);
        await stopping.Within("the stop of the host");
        Assert.Single(Logs.Of("ServerStopped"));
    }

    [Fact]
    public async Task A_host_whose_stop_waits_says_for_which_calls()
    {
        var answer = new Signal("the test lets the handler answer");
        var desk = Desk.AnsweringAfter(answer);
        await using var host = await StartAsync(NewHostWith(desk));
        var call = host.Services.GetRequiredService<IDesk>().AskPlainly(new Question { Id = 3 }).AsTask();
        await desk.Started.ReachAsync(1);

        var stopping = host.StopAsync(TestContext.Current.CancellationToken);
        var told = Assert.Single(await Logs.ReachAsync("ServerStopWaits"));
        Assert.Equal("The stop waits for 1 call of test.Desk/AskPlainly, up to 20 s (DrainTimeout).", told.Text);
        answer.Set();
        await call.Within("the reply");
        await stopping.Within("the stop of the host");
    }

    [Fact]
    public async Task A_host_with_a_stuck_handler_stops_all_the_same()
    {
        var end = new Signal("the end of the test");
        var desk = Desk.AnsweringAfter(end);
        await using var host = await StartAsync(NewHostWith(desk, options => options.DrainTimeout = TimeSpan.FromMilliseconds(50)));
        var call = host.Services.GetRequiredService<IDesk>().AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);

        await host.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the host");
        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Handler);
        end.Set();
    }

    [Fact]
    public async Task A_host_out_of_patience_ends_the_waiting_for_open_calls()
    {
        var end = new Signal("the end of the test");
        var desk = Desk.AnsweringAfter(end);
        await using var host = await StartAsync(NewHostWith(desk, options => options.DrainTimeout = TimeSpan.FromSeconds(29)));
        var call = host.Services.GetRequiredService<IDesk>().AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);

        using var patience = new CancellationTokenSource();
        var stopping = host.StopAsync(patience.Token);
        await Logs.ReachAsync("ClientDraining");
        await patience.CancelAsync();
        await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure of the call"));
        await Record.ExceptionAsync(() => stopping.Within("the stop of the host")); // the host may say that it was cancelled
        end.Set();
    }

    [Fact]
    public async Task A_client_may_start_before_its_server()
    {
        var client = NewHost();
        client.Services.AddMuxClient(Address, options => options.MaxReconnectDelay = TimeSpan.FromMilliseconds(20)).AddProxy<IDesk>();
        await using var clientHost = await StartAsync(client);
        var desk = clientHost.Services.GetRequiredService<IDesk>();
        await desk.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);

        var server = NewHost();
        server.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        await using var serverHost = await StartAsync(server);
        Assert.Equal(4, (await desk.AskPlainly(new Question { Id = 4 })).Id);
    }

    private HostApplicationBuilder NewHostWith(Desk desk, Action<MuxServerOptions>? configure = null)
    {
        var builder = NewHost();
        builder.Services.AddSingleton(desk);
        builder.Services.AddMuxServer(Address, configure).AddService<IDesk, Desk>();
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>();
        return builder;
    }
}
