using Mux.Buffers;

namespace Mux.Core.Tests;

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
}
