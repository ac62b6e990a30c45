using Mux.TestSupport.EndToEnd;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>What a gateway forwards is counted by client, method and status.</summary>
public sealed class GatewayMetricTests : GatewayTests
{
    [Fact(Timeout = TestLimit)]
    public async Task Forwarded_calls_are_counted_by_client_method_and_status()
    {
        var (shop, scene, _, _, proxy) = Start(behind: options => options.Name = "orders");
        await proxy.AskNow([1]);
        await proxy.AskNow([1]);
        shop.OnAsk = (_, _, _) => throw new MuxException(MuxStatus.NotFound, "None.");
        await proxy.AskNow([1]).FailsAsync(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler);
        await Eventually.Holds(() => Counts().Sum(reading => reading.Value) == 3, "three calls"); // each is counted after its reply has left
        var counts = Counts();
        Assert.Equal([("OK", 2), ("NOT_FOUND", 1)], counts.Select(reading => (reading.Tag("rpc.status_code")!, (int)reading.Value)));
        Assert.All(counts, reading => Assert.Equal(("orders", "shop.Orders/Ask"), (reading.Tag("mux.client.name"), reading.Tag("rpc.method"))));

        List<MeterReading> Counts() => [.. scene.Meters.Read().Where(reading => reading.Instrument == "mux.gateway.calls")];
    }
}
