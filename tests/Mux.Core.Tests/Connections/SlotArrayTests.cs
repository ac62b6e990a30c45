using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class SlotArrayTests
{
    [Fact]
    public void Every_slot_of_the_id_space_has_an_entry_of_its_own()
    {
        var sut = new SlotArray<int>();
        for (int slot = 0; slot <= CallId.MaxSlot; slot++)
        {
            sut.Ensure(slot);
            sut[slot] = slot;
        }

        for (int slot = 0; slot <= CallId.MaxSlot; slot++)
        {
            if (sut[slot] != slot) Assert.Fail($"The entry of slot {slot} holds {sut[slot]}.");
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(CallId.MaxSlot)]
    public void No_slot_has_an_entry_before_it_is_made(int slot)
    {
        var sut = new SlotArray<int>();

        Assert.False(sut.Exists(slot));
    }

    [Fact]
    public void An_entry_does_not_move_when_the_table_grows()
    {
        var sut = new SlotArray<int>();
        sut.Ensure(1);
        ref int entry = ref sut[1];
        for (int slot = 2; slot < 100_000; slot++) sut.Ensure(slot);

        entry = 42;

        Assert.Equal(42, sut[1]);
    }

    [Theory]
    [InlineData(1, 16)]
    [InlineData(15, 16)]
    [InlineData(16, 32)]
    [InlineData(100, 128)]
    public void A_slot_brings_its_chunk_and_none_else(int slot, int end)
    {
        var sut = new SlotArray<int>();
        for (int lower = 0; lower <= slot; lower++) sut.Ensure(lower);

        Assert.True(sut.Exists(end - 1));
        Assert.False(sut.Exists(end));
    }

    [Theory]
    [InlineData(3, 3)]
    [InlineData(16_384, 16_384)]
    [InlineData(1_000, 1_010)]
    [InlineData(CallId.MaxSlot, CallId.MaxSlot)]
    public void There_is_no_entry_above_the_highest_slot(int slot, int last)
    {
        var sut = new SlotArray<int>();
        for (int lower = 0; lower <= slot; lower++) sut.Ensure(lower, last);

        Assert.True(sut.Exists(slot));
        Assert.All(Enumerable.Range(last + 1, Math.Min(100, CallId.MaxSlot - last)), above => Assert.False(sut.Exists(above)));
    }

    [Fact]
    public void A_reader_never_sees_a_slot_without_its_entry()
    {
        var sut = new SlotArray<string>();
        int highest = 0;

        Racers.Run(
            _ =>
            {
                for (int slot = 1; slot <= 200_000; slot++)
                {
                    sut.Ensure(slot);
                    sut[slot] = "written";
                    Volatile.Write(ref highest, slot);
                }
            },
            _ =>
            {
                int last;
                do
                {
                    last = Volatile.Read(ref highest);
                    if (last > 0) Assert.Equal("written", sut[last]);
                }
                while (last < 200_000);
            });
    }
}
