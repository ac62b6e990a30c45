using Mux.Tests.Allocation;
using Mux.Tests.Contracts;

namespace Mux.Tests.Forwarding;

/// <summary>A forwarded call costs the gateway no object.</summary>
public sealed class GatewayAllocationTests
{
    private const int Calls = 1000;
    private const int MaxBatches = 200;

    private static readonly Point s_point = new(3, 4);

    [Fact]
    public void A_forwarded_call_allocates_nothing()
    {
        using var all = OneThread.WithGateway();
        Assert.Equal(0, Measure(() => AssertIs(s_point, all.Finish(all.Proxy.Struct(s_point)))));
        Assert.InRange(all.Served, Calls, long.MaxValue);
    }

    [Fact]
    public void A_forwarded_call_with_a_deadline_allocates_nothing()
    {
        // The channels are in the process of the handlers, which keep deadlines for no other.
        using var all = OneThread.WithGateway(
            options => (options.CallTimeout, options.InheritDeadlines) = (TimeSpan.FromMinutes(1), false), options => options.InheritDeadlines = false);
        Assert.Equal(0, Measure(() => AssertIs(s_point, all.Finish(all.Proxy.Struct(s_point)))));
    }

    [Fact]
    public void A_forwarded_call_whose_request_is_kept_to_send_it_again_allocates_nothing()
    {
        using var all = OneThread.WithGateway(behind: options => options.Resilience.Attempts = 3);
        Assert.Equal(0, Measure(() => AssertIs(s_point, all.Finish(all.Proxy.Struct(s_point)))));
    }

    [Fact]
    public void A_forwarded_one_way_call_allocates_nothing()
    {
        using var all = OneThread.WithGateway();
        all.Finish(all.Proxy.Struct(s_point)); // on connections that are open, it is taken at once
        Assert.Equal(0, Measure(() => all.Send(all.Proxy.Tell(s_point))));
    }

    private static long Measure(Action call)
    {
        long least = long.MaxValue;
        for (int batch = 0; batch < MaxBatches && least > 0; batch++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Calls; i++) call();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private static void AssertIs(Point expected, Point actual)
    {
        if (!expected.Equals(actual)) throw new InvalidOperationException($"Expected {expected}, not {actual}.");
    }
}
