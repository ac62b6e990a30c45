using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>How the buffers of a decoder grow where numbers of 32 bits end.</summary>
public sealed class BufferGrowthTests
{
    [Theory]
    [InlineData(0, 1, 16, 16)]
    [InlineData(16, 1, 16, 32)]
    [InlineData(16, 100, 16, 116)]
    [InlineData(1 << 30, 1, 16, 0x7fffffc7)]
    [InlineData(0x7fffffc6, 1, 16, 0x7fffffc7)]
    [InlineData(1 << 30, 1 << 29, 16, 0x7fffffc7)]
    public void A_buffer_doubles_up_to_the_largest_array_there_is(int taken, int more, int least, int expected)
    {
        Assert.Equal(expected, BufferGrowth.Next(taken, more, least));
    }

    [Theory]
    [InlineData(0x7fffffc7, 1)]
    [InlineData(1 << 30, 1 << 30)]
    [InlineData(int.MaxValue, int.MaxValue)]
    public void What_no_array_holds_is_refused(int taken, int more)
    {
        var refused = Assert.Throws<InvalidMessageException>(() => BufferGrowth.Next(taken, more, 16));
        Assert.Equal($"A field of the message has {(long)taken + more} items or bytes, and an array holds at most {Array.MaxLength}.", refused.Message);
    }
}
