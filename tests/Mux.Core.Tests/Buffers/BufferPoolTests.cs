using Mux.Runtime;

namespace Mux.Core.Tests.Buffers;

[Collection(nameof(ProcessWideCounters))]
public sealed class BufferPoolTests
{
    [Fact]
    public void An_outstanding_array_is_counted_until_it_comes_back()
    {
        long before = BufferPool.Outstanding;
        var array = BufferPool.Rent(100);
        Assert.Equal(before + 1, BufferPool.Outstanding);
        BufferPool.Return(array);
        Assert.Equal(before, BufferPool.Outstanding);
    }

    [Fact]
    public void A_returned_array_is_overwritten_where_tests_ask_for_it()
    {
        BufferPool.Poison = true;
        try
        {
            var array = BufferPool.Rent(100);
            array.AsSpan().Clear();

            BufferPool.Return(array);

            Assert.All(array, b => Assert.Equal(0xDB, b));
        }
        finally
        {
            BufferPool.Poison = false;
        }
    }
}
