using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>What a server keeps for a connection that makes no calls.</summary>
public sealed class IdleConnectionTests
{
    /// <summary>Bytes of the objects of a connection, before anything is received. One that needs more needs it for every idle connection.</summary>
    private const long Most = 4_800;

    [Fact]
    public void A_connection_without_calls_is_small()
    {
        _ = AllocatedBy(new TestLink()); // what is made once for a type

        // The least of several: what every connection needs is in each of them, and what the runtime makes once on this thread is not.
        long bytes = long.MaxValue;
        for (int i = 0; i < 5; i++)
        {
            bytes = Math.Min(bytes, AllocatedBy(new TestLink()));
        }

        Assert.True(bytes <= Most, $"A new connection takes {bytes} bytes; at most {Most} are expected.");
    }

    private static long AllocatedBy(Link link)
    {
        var (options, owner, methods, clock) = (new ConnectionOptions(), new RecordingOwner(), new ProbeMethods(), new Clock(new ManualTime()));
        long before = GC.GetAllocatedBytesForCurrentThread();
        var connection = new Connection(link, options, owner, methods, clock, accepting: true);
        long bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(connection);
        return bytes;
    }
}
