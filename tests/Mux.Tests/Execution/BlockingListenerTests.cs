using System.Diagnostics.Metrics;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Execution;

/// <summary>What the log says of code that blocks a receiving thread: which code it is, and what helps.</summary>
public sealed class BlockingListenerTests
{
    [Fact(Timeout = 60_000)]
    public async Task A_listener_that_blocks_the_receiving_thread_of_a_server_is_not_taken_for_other_code()
    {
        using var logs = new LogCollector();
        using var meters = new MeterReadings();
        var end = new Signal("the end of the listener");
        await using var server = new MuxServer(new MuxServerOptions { Address = "mux://127.0.0.1:0", MeterFactory = meters }, logs).AddService<IDesk>(new Desk());
        server.Start();
        await using var channel = MuxChannel.Create(server.Address.ToString());
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, self) =>
            {
                if (instrument.Name == "rpc.server.call.duration" && instrument.Meter.Scope == meters) self.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => end.Wait());
        listener.Start();

        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 3 }).AsTask();
        var entry = (await logs.ReachAsync("UserCodeBlocked"))[0];
        end.Set();

        Assert.Equal(3, (await call.Within("the reply")).Id);
        Assert.StartsWith("A listener of spans or meters (call of test.Desk/AskPlainly) blocked the receiving thread", entry.Text, StringComparison.Ordinal);
        Assert.Contains("Return from it at once, and leave slow work to another thread.", entry.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("dispatch mode", entry.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_is_not_advised_to_have_the_dispatch_mode_that_it_has()
    {
        Assert.DoesNotContain("Adaptive", new Placement("adaptive code").Advice, StringComparison.Ordinal);
        Assert.Contains("Pool", new Placement("adaptive code").Advice, StringComparison.Ordinal);
        Assert.Contains("Adaptive or Pool", new Placement("inline code", staysInline: true).Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_whose_calls_keep_an_order_is_not_advised_to_give_it_up()
    {
        ContinuationPlacement? found = null;
        string handler = new Placement("ordered code", keepsOrder: true).Advice, after = ContinuationPlacement.Of(new object(), new Placement("task"), ref found).Advice;
        Assert.Equal(handler, after); // it may be of a handler whose calls keep an order
        Assert.DoesNotContain("its dispatch mode", handler, StringComparison.Ordinal);
        Assert.Contains("in its contract that would end the order of calls", handler, StringComparison.Ordinal);
    }
}
