using Google.Protobuf;
using Mux.Protobuf;
using Mux.Serialization.Oracles.Differences;
using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.Oracles.Trees;

namespace Mux.Serialization.Tests;

/// <summary>One example of every difference that docs/contracts.md lists, so that none is assumed that is not there.</summary>
public sealed class DifferenceTests
{
    public static TheoryData<Difference, string, string> Refused => new()
    {
        { Difference.LongTag, "Numbers", "88808080800001" }, // field 1 in six bytes
        { Difference.LongTag, "Numbers", "888080801001" }, // and in five, with a bit above 32
        { Difference.LongNumber, "Numbers", "68ffffffff1f" },
        { Difference.LongNumber, "Numbers", "68818080808000" },
        { Difference.LongLength, "Texts", "0a81808080800061" },
        { Difference.LongLength, "Branch", "2a80808080808080808001" }, // 2^63, of which Google takes 0
        { Difference.LongLength, "PackedNumbers", "2affffffff0f" },
        { Difference.HugeNumber, "Numbers", "9001ffffffffffffffffff03" },
        { Difference.UnreadableType, "Numbers", "6a0161" },
        { Difference.UnreadableType, "Texts", "0801" },
        { Difference.OutOfRange, "Numbers", "30ff7f" },
        { Difference.BlockBehindItem, "PackedNumbers", "28012a0102" },
        { Difference.NoType, "Numbers", "6f" },
        { Difference.TooDeep, "Link", Nested(64) },
    };

    public static TheoryData<Difference, string, string> ReadOtherwise => new()
    {
        { Difference.OtherType, "Numbers", "6d01000000" },
        { Difference.OtherType, "Numbers", "e101000000000000f03f" },
        { Difference.OtherType, "Branch", "13100114" },
        { Difference.OtherType, "Groups", "0a020801" },
        { Difference.BytesTwice, "Texts", "120161120162" },
        { Difference.ValueTwice, "ModernValues", "4202080142021064" },
        { Difference.OtherForm, "ModernValues", "0a20" + Convert.ToHexString("0123456789abcdef0123456789abcdef"u8) }, // a Guid without dashes
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void Google_reads_it_and_we_refuse_it(Difference difference, string name, string hex)
    {
        var (shape, bytes) = Find(difference, name, hex);
        Assert.NotNull(shape.Parse(bytes));
        Assert.Throws<InvalidMessageException>(() => shape.Decode(bytes));
        Assert.NotEqual(Difference.None, difference & Difference.Refused);
    }

    [Theory]
    [MemberData(nameof(ReadOtherwise))]
    public void Both_read_it_and_it_does_not_say_the_same(Difference difference, string name, string hex)
    {
        var (shape, bytes) = Find(difference, name, hex);
        Assert.NotEqual(GoogleTree.Of(shape.Parse(bytes)).ToString(), ContractTree.Of(shape.Decode(bytes), shape.Descriptor).ToString());
        Assert.Equal(Difference.None, difference & Difference.Refused);
    }

    [Fact]
    public void Every_difference_has_an_example()
    {
        var shown = Refused.Concat(ReadOtherwise).Select(static row => row.Data.Item1).Append(Difference.None).Append(Difference.Refused);
        Assert.Equal(Enum.GetValues<Difference>().Order(), shown.Distinct().Order());
    }

    [Fact]
    public void Messages_are_nested_as_deep_as_ours_go()
    {
        var shape = ShapeCatalog.All.Single(static shape => shape.Name == "Link");
        var bytes = Convert.FromHexString(Nested(MessageReader.MaxDepth - 1));
        var message = shape.Parse(bytes);
        Assert.Equal(GoogleTree.Of(message).ToString(), ContractTree.Of(shape.Decode(bytes), shape.Descriptor).ToString());
        Assert.Equal(message.ToByteArray(), shape.Encode(shape.Decode(bytes)));
    }

    private static (Shape Shape, byte[] Bytes) Find(Difference difference, string name, string hex)
    {
        var shape = ShapeCatalog.All.Single(shape => shape.Name == name);
        var bytes = Convert.FromHexString(hex);
        Assert.Equal(difference, DifferenceScan.Find(bytes, shape.Descriptor));
        return (shape, bytes);
    }

    private static string Nested(int levels)
    {
        byte[] bytes = [];
        for (int i = 0; i < levels; i++) bytes = [0x0a, .. bytes.Length < 0x80 ? [(byte)bytes.Length] : new[] { (byte)(bytes.Length | 0x80), (byte)(bytes.Length >> 7) }, .. bytes];
        return Convert.ToHexString(bytes);
    }
}
