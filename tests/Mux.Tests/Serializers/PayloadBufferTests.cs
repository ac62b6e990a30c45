using Mux.Serialization;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>The memory of serializers that write into an IBufferWriter.</summary>
public sealed class PayloadBufferTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(16 * 1024)]
    [InlineData(16 * 1024 + 1)]
    [InlineData(1_000_000)]
    public void What_was_written_in_pieces_is_the_message(int length)
    {
        var expected = Specimens.Pattern(length);
        var message = MessageBuffer.Rent();
        var sut = PayloadBuffer.Rent();
        try
        {
            for (int at = 0; at < length;)
            {
                var span = sut.GetSpan(Math.Min(777, length - at));
                int count = Math.Min(span.Length, length - at);
                expected.AsSpan(at, count).CopyTo(span);
                sut.Advance(count);
                at += count;
            }

            Assert.Equal(length, sut.WrittenCount);
            var writer = message.CreateWriter();
            sut.MoveTo(ref writer);
            Assert.Equal(expected, writer.Written.ToArray());
            Assert.Equal(0, sut.WrittenCount);
        }
        finally
        {
            sut.Return();
            message.Return();
        }
    }

    [Fact]
    public void What_stands_in_the_message_before_stays_there()
    {
        var message = MessageBuffer.Rent();
        var sut = PayloadBuffer.Rent();
        Specimens.Pattern(100_000).CopyTo(sut.GetSpan(100_000));
        sut.Advance(100_000);
        var writer = message.CreateWriter();
        writer.Write([9]);
        sut.MoveTo(ref writer);
        sut.Return();
        Assert.Equal([9, .. Specimens.Pattern(100_000)], writer.Written.ToArray());
        message.Return();
    }

    [Fact]
    public void One_that_is_in_use_is_not_given_out_again()
    {
        var first = PayloadBuffer.Rent();
        var second = PayloadBuffer.Rent();
        Assert.NotSame(first, second);
        second.GetMemory(10).Span[0] = 1;
        second.Advance(1);
        Assert.Equal((0, 1), (first.WrittenCount, second.WrittenCount));
        second.Return();
        first.Return();
    }

    [Fact]
    public void No_more_is_written_than_there_was_memory_for()
    {
        var sut = PayloadBuffer.Rent();
        int room = sut.GetSpan().Length;
        Assert.Throws<ArgumentOutOfRangeException>(() => sut.Advance(room + 1));
        Assert.Throws<ArgumentOutOfRangeException>(() => sut.Advance(-1));
        sut.Return();
    }
}
