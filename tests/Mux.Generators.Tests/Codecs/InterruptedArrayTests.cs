using System.Text;
using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Arrays whose parts stand apart in the message.</summary>
public sealed class InterruptedArrayTests
{
    private const string Between = "4800";
    private const int MaxBytesPerByte = 64;

    private static readonly MessageCodec s_sut = new ContractCodecs<IZoo>().Request("Interrupted");

    [Theory]
    [InlineData("0a0161")] // bytes
    [InlineData("1001")] // a number
    [InlineData("1500000000")] // a number of another wire type
    [InlineData("120101")] // a block of numbers
    [InlineData("1a00")] // a text
    [InlineData("2200")] // a struct
    [InlineData("2a00")] // an object
    [InlineData("320400000000")] // a block of floats
    [InlineData("3500000000")] // a float
    [InlineData("3801")] // lists
    [InlineData("3a0101")]
    [InlineData("420400000000")]
    [InlineData("4500000000")]
    public void Parts_that_come_ever_again_cost_in_proportion_to_their_bytes(string part)
    {
        var bytes = Repeated(part + Between, 65_536);
        s_sut.Decode(bytes);
        long before = GC.GetAllocatedBytesForCurrentThread();
        s_sut.Decode(bytes);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MaxBytesPerByte * bytes.Length);
    }

    [Fact]
    public void An_array_in_one_part_costs_the_array_alone()
    {
        var bytes = Convert.FromHexString("0a03616263" + "1203010203" + "32080000803f00000040");
        long before = GC.GetAllocatedBytesForCurrentThread();
        _ = new Interrupted { Bytes = new byte[3], Numbers = new int[3], Floats = new float[2] };
        long objects = GC.GetAllocatedBytesForCurrentThread() - before;
        s_sut.Decode(bytes); // what is pooled is there from now on
        before = GC.GetAllocatedBytesForCurrentThread();
        s_sut.Decode(bytes);
        Assert.Equal(objects, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Parts_are_joined_in_their_order_however_they_are_written()
    {
        var read = Read("0a0161" + "1001" + "320400002040" + "1500000080" + Between + "35" + "00004040" + "0a026263" + "12020203" + "0a00" + "32080000803f00000040" + "1a0161" + Between + "1a0162");
        Assert.Equal("abc"u8.ToArray(), read.Bytes);
        Assert.Equal([1, int.MinValue, 2, 3], read.Numbers!);
        Assert.Equal([2.5f, 3f, 1f, 2f], read.Floats!);
        Assert.Equal(["a", "b"], read.Texts!);
    }

    [Fact]
    public void A_block_behind_single_items_follows_them()
    {
        Assert.Equal([3f, 1f], Read("35" + "00004040" + Between + "32040000803f").Floats!);
    }

    [Fact]
    public void Empty_parts_make_an_empty_array_and_take_nothing_away()
    {
        var empty = Read("0a00" + "1200" + "3200");
        Assert.Equal((0, 0, 0), (empty.Bytes!.Length, empty.Numbers!.Length, empty.Floats!.Length));
        var kept = Read("0a0161" + "120101" + "32040000803f" + Between + "0a00" + "1200" + "3200");
        Assert.Equal((1, 1, 1), (kept.Bytes!.Length, kept.Numbers!.Length, kept.Floats!.Length));
        Assert.Equal(3f, Assert.Single(Read("35" + "00004040" + Between + "3200").Floats!));
    }

    [Fact]
    public void A_message_that_comes_ever_again_adds_to_its_arrays_until_that_costs_too_much()
    {
        const string Inner = "a201" + "04" + "8a010161";
        var codec = new ContractCodecs<IZoo>().Request("Specimen");
        Assert.Equal(new string('a', 100), Encoding.ASCII.GetString(((Specimen)codec.Decode(Repeated(Inner, 700))!).Inner!.Bytes!));
        var hostile = Repeated(Inner, 65_536);
        long before = GC.GetAllocatedBytesForCurrentThread();

        var error = Assert.Throws<InvalidMessageException>(() => codec.Decode(hostile));

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 2 * MaxBytesPerByte * hostile.Length);
        Assert.Contains("so often", error.Message, StringComparison.Ordinal);
    }

    private static Interrupted Read(string hex) => (Interrupted)s_sut.Decode(Convert.FromHexString(hex))!;

    private static byte[] Repeated(string hex, int length)
    {
        var one = Convert.FromHexString(hex);
        return [.. Enumerable.Repeat(one, length / one.Length).SelectMany(static bytes => bytes)];
    }
}
