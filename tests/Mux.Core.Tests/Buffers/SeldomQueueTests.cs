using Mux.Runtime;

namespace Mux.Core.Tests.Buffers;

public sealed class SeldomQueueTests
{
    [Fact]
    public void A_queue_that_was_never_used_is_empty_and_takes_no_memory()
    {
        _ = Look();
        long before = GC.GetAllocatedBytesForCurrentThread();

        var (count, items, hasFirst) = Look();

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        Assert.Equal((0, 0, false), (count, items, hasFirst));

        static (int Count, int Items, bool HasFirst) Look()
        {
            var sut = default(SeldomQueue<string>);
            int items = 0;
            foreach (var _ in sut) items++;
            return (sut.Count, items, sut.TryDequeue(out var _));
        }
    }

    [Fact]
    public void Items_leave_in_the_order_in_which_they_came()
    {
        var sut = default(SeldomQueue<int>);
        for (int item = 1; item <= 3; item++) sut.Enqueue(item);

        Assert.Equal((3, 1, 1), (sut.Count, sut.Peek(), sut.Dequeue()));
        Assert.True(sut.TryDequeue(out int second));
        Assert.Equal(2, second);
        Assert.Equal(1, sut.Count);
    }

    [Fact]
    public void A_queue_that_grew_keeps_memory_for_few_items_more_than_it_has()
    {
        const int Items = 10_000, Left = 10;
        var sut = default(SeldomQueue<byte[]>);
        for (int item = 0; item < Items; item++) sut.Enqueue([(byte)item]);
        for (int item = 0; item < Items - Left; item++) Assert.Equal((byte)item, Assert.Single(sut.Dequeue()));

        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int item = 0; item < Items / 4; item++) sut.Enqueue([]);

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, sizeof(long) * Items / 4, long.MaxValue); // it has to grow again
        while (Left < sut.Count) sut.Dequeue();
        Assert.Equal(Left, sut.Count);
    }
}
