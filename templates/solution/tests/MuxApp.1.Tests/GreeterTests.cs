using Mux;
using Mux.Transports.InMemory;
using MuxApp._1.Contracts;
using MuxApp._1.Server;

namespace MuxApp._1.Tests;

/// <summary>Server and client in one process, without sockets: everything between them is as it is between two machines.</summary>
public sealed class GreeterTests : IAsyncLifetime
{
    private readonly MuxServer _server;
    private readonly MuxChannel _channel;
    private readonly IGreeter _greeter;

    public GreeterTests()
    {
        var transport = new InMemoryTransport();
        _server = new MuxServer(new MuxServerOptions { Address = "mux://test", Transport = transport }).AddService<IGreeter>(new Greeter());
        _channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://test", Transport = transport });
        _greeter = _channel.CreateProxy<IGreeter>();
    }

    public ValueTask InitializeAsync()
    {
        _server.Start();
        return default;
    }

    public async ValueTask DisposeAsync()
    {
        await _channel.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Somebody_is_greeted_by_name()
    {
        var greeting = await _greeter.GreetAsync(new GreetingRequest { Name = "Nancy" }, TestContext.Current.CancellationToken);

        Assert.Equal("Hello, Nancy!", greeting.Text);
    }

    [Fact]
    public async Task A_request_without_a_name_is_rejected()
    {
        var error = await Assert.ThrowsAsync<MuxException>(async () => await _greeter.GreetAsync(new GreetingRequest(), TestContext.Current.CancellationToken));

        Assert.Equal(MuxStatus.InvalidArgument, error.Status);
    }
}
