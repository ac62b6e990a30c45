using Microsoft.Extensions.DependencyInjection;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.Sockets;

namespace Mux.Tests.Hosting;

/// <summary>Containers are disposed synchronously more often than not; nothing that Mux puts into them may mind.</summary>
public sealed class DisposalTests : HostingTests
{
    private static readonly TimeSpan s_patient = TimeSpan.FromMinutes(30);

    [Fact]
    public async Task A_container_is_disposed_synchronously_with_what_it_has_made()
    {
        var services = new ServiceCollection();
        services.AddMuxServer(Address, options => options.Transport = Transport).AddService<IDesk, Desk>();
        services.AddMuxClient(Address, options => options.Transport = Transport).AddProxy<IDesk>();
        services.AddKeyedMuxClient("named", Address, options => options.Transport = Transport).AddProxy<IDesk>();
        using (var provider = services.BuildServiceProvider())
        {
            provider.GetRequiredService<MuxServer>().Start();
            Assert.Equal(1, (await provider.GetRequiredService<IDesk>().AskPlainly(new Question { Id = 1 })).Id);
            Assert.Equal(2, (await provider.GetRequiredKeyedService<IDesk>("named").AskPlainly(new Question { Id = 2 })).Id);
        }

        await Eventually.Holds(() => Transport.Connections.Count == 0, "the end of all connections");
    }

    [Fact]
    public async Task A_host_is_disposed_synchronously_where_a_reply_came_without_having_been_stopped()
    {
        // The thread that blocks in the disposal is the one that receives for the client, and for it alone: on an event loop it would receive for the server, too.
        var address = $"mux+unix://{Path.GetTempPath()}mux-{Guid.NewGuid():N}.sock";
        var builder = NewHost();
        builder.Services.AddMuxServer(address, options => options.Transport = new SocketTransport()).AddService<IDesk, Desk>();
        builder.Services.AddMuxClient(address, options => options.Transport = new SocketTransport()).AddProxy<IDesk>();
        using (var host = builder.Build())
        {
            await host.StartAsync(TestContext.Current.CancellationToken);
            var desk = host.Services.GetRequiredService<IDesk>();
            do await desk.AskPlainly(new Question());
            while (Turn.Owner is null); // a reply that was there before its await leaves this code where it was
        }

        Assert.Single(Logs.Of("ServerStopped"));
        Assert.Empty(Logs.Of("ClientDrainIncomplete"));
        Assert.Empty(Logs.Of("ServerDrainIncomplete"));
        Assert.Contains(": PeerDrained.", Assert.Single(Logs.Of("ServerConnectionClosed")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_channel_disposed_synchronously_fails_its_open_calls_and_waits_for_none()
    {
        var end = new Signal("the end of the test");
        var scene = Begin(TransportKind.InMemory);
        var desk = Desk.AnsweringAfter(end);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.DrainTimeout = s_patient);
        var proxy = sut.CreateProxy<IDesk>();
        var call = proxy.AskPlainly(new Question());
        await desk.Started.ReachAsync(1);

        sut.Dispose();
        await call.AsTask().Within("the failure of the open call").FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        await proxy.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        sut.Dispose();
        await sut.DisposeAsync().AsTask().Within("the disposal");
        end.Set();
    }

    [Fact]
    public async Task A_server_disposed_synchronously_fails_its_open_calls_and_waits_for_none()
    {
        var end = new Signal("the end of the test");
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var desk = Desk.AnsweringAfter(end);
        var sut = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.DrainTimeout = s_patient);
        var proxy = scene.CreateChannel(sut).CreateProxy<IDesk>();
        var call = proxy.AskPlainly(new Question());
        await desk.Started.ReachAsync(1);

        sut.Dispose();
        await call.AsTask().Within("the failure of the open call").FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Handler);
        await proxy.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        sut.Dispose();
        await sut.DisposeAsync().AsTask().Within("the disposal");
        end.Set();
    }

    [Fact]
    public void What_was_never_used_is_disposed_too()
    {
        new MuxServer(Address).Dispose();
        MuxChannel.Create(Address).Dispose();
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddService<IDesk, Desk>();
        builder.Services.AddMuxClient(Address).AddProxy<IDesk>();
        using var host = builder.Build();
        Assert.NotNull(host.Services.GetRequiredService<MuxServer>());
        Assert.NotNull(host.Services.GetRequiredService<IDesk>());
    }
}
