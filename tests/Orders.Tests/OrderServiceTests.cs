using Mux;
using Mux.Transports.InMemory;

namespace Orders.Tests;

public sealed class OrderServiceTests
{
    [Fact]
    public async Task An_order_that_is_not_there_is_not_found()
    {
        var transport = new InMemoryTransport();
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://test", Transport = transport });
        server.AddService<IOrders>(new OrderService()).Start();
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://test", Transport = transport });
        var orders = channel.CreateProxy<IOrders>();

        var error = await Assert.ThrowsAsync<MuxException>(async () => await orders.Find(-1, TestContext.Current.CancellationToken));

        Assert.Equal(MuxStatus.NotFound, error.Status);
    }
}
