using System.Buffers;
using Mux.Serialization.Raw;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Serializers;

/// <summary>What a call of a mebibyte each way allocates at both sides together. An array that is copied, or handed over for good, shows as its length.</summary>
public sealed class LargeMessageAllocationTests : EndToEndTests
{
    private const int Length = 1024 * 1024;
    private const int Calls = 30;

    /// <summary>What the call itself takes: objects of messages in fragments, of tasks and of threads.</summary>
    private const int Beside = 64 * 1024;

    [Fact(Timeout = TestLimit)]
    public async Task Bytes_with_an_owner_allocate_nothing_of_their_length()
    {
        var sut = Start();
        await AssertAllocatesAtMost(0, async () =>
        {
            using var reply = await sut.Pooled(PooledBytes.Rent(Length), TestContext.Current.CancellationToken);
            Assert.Equal(Length, reply.Length);
        });
    }

    [Fact(Timeout = TestLimit)]
    public async Task Memory_and_sequences_are_the_arrays_in_which_they_arrived()
    {
        var sut = Start();
        var bytes = new byte[Length];
        await AssertAllocatesAtMost(2 * Length, async () => Assert.Equal(Length, (await sut.Memory(bytes)).Length));
        await AssertAllocatesAtMost(2 * Length, async () => Assert.Equal(Length, (await sut.Sequence(new ReadOnlySequence<byte>(bytes))).Length));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Arrays_are_allocated_where_they_arrive()
    {
        var sut = Start();
        var (exact, other) = (new byte[Length], new byte[Length - 1000]);
        await AssertAllocatesAtMost(2 * exact.Length, async () => Assert.Equal(exact.Length, (await sut.Array(exact)).Length));
        await AssertAllocatesAtMost(2 * other.Length, async () => Assert.Equal(other.Length, (await sut.Array(other)).Length));
    }

    private IBlobs Start()
    {
        var scene = Begin(TransportKind.InMemory);
        return scene.CreateChannel(scene.StartServer(static server => server.AddService<IBlobs>(new Blobs()))).CreateProxy<IBlobs>();
    }

    /// <summary>The least of some rounds: a collection may empty the pool of arrays, and arrays that are in it already are not allocated.</summary>
    private static async Task AssertAllocatesAtMost(long limit, Func<Task> call)
    {
        long least = long.MaxValue;
        for (int round = 0; round < 5; round++)
        {
            long before = GC.GetTotalAllocatedBytes(precise: true);
            for (int i = 0; i < Calls; i++) await call();
            least = Math.Min(least, (GC.GetTotalAllocatedBytes(precise: true) - before) / Calls);
        }

        TestContext.Current.TestOutputHelper?.WriteLine($"{least} bytes per call; {limit} are the bytes that arrive.");
        Assert.InRange(least, 0, limit + Beside);
    }
}
