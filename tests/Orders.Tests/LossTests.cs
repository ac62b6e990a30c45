using Mux;
using Mux.Transports.InMemory;

namespace Orders.Tests;

public sealed class LossTests
{
    [Fact]
    public async Task A_call_that_waits_may_have_run_when_its_connection_is_lost()
    {
        var transport = new InMemoryTransport();
        var service = new NeverAnswers();
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://test", Transport = transport });
        server.AddService<IOrders>(service).Start();
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://test", Transport = transport });
        var call = channel.CreateProxy<IOrders>().Find(1, TestContext.Current.CancellationToken).AsTask();
        await service.Started.Task.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);

        foreach (var connection in transport.Connections) connection.Reset();

        var error = await Assert.ThrowsAsync<MuxException>(() => call);
        Assert.Equal(MuxExecution.MayHaveExecuted, error.Execution);
    }

    private sealed class NeverAnswers : IOrders
    {
        public TaskCompletionSource Started { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async ValueTask<Order> Find(int id, CancellationToken cancellationToken)
        {
            Started.SetResult();
            return await new TaskCompletionSource<Order>().Task.WaitAsync(cancellationToken); // cancelled when the connection is lost
        }
    }
}
