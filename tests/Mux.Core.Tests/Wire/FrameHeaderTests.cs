using Mux.Protocol;

namespace Mux.Core.Tests.Wire;

public sealed class FrameHeaderTests
{
    [Fact]
    public void Every_part_stands_in_its_own_bits()
    {
        var sut = new FrameHeader(FrameKind.Fail, FrameFlags.More | FrameFlags.Compressed, new CallId(0xABCDE, 0x123), 0x45_6789);

        Assert.Equal(0x123A_BCDE_B245_6789u, sut.Value);
        Assert.Equal((FrameKind.Fail, FrameFlags.More | FrameFlags.Compressed, 0x45_6789), (sut.Kind, sut.Flags, sut.Length));
        Assert.Equal((0xABCDE, 0x123u), (sut.Id.Slot, sut.Id.Generation));
    }

    [Theory]
    [InlineData(ulong.MinValue)]
    [InlineData(ulong.MaxValue)]
    [InlineData(0x0123_4567_89AB_CDEF)]
    public void Any_eight_bytes_survive_a_round_trip_through_the_parts(ulong value)
    {
        var sut = new FrameHeader(value);
        var bytes = new byte[FrameHeader.Size];

        new FrameHeader(sut.Kind, sut.Flags, sut.Id, sut.Length).Write(bytes);

        Assert.Equal(sut, FrameHeader.Read(bytes));
    }

    [Fact]
    public void A_generation_wraps_within_its_bits_and_leaves_the_slot_alone()
    {
        Assert.Equal(new CallId(7, 0), new CallId(7, 4096));
        Assert.Equal(new CallId(CallId.MaxSlot, 4095), new CallId(CallId.MaxSlot, 8191));
    }
}
