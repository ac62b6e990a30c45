using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Fields that a message does not know and keeps: in a member of its own, or the way protobuf-net has it.</summary>
public sealed class UnknownFieldTests
{
    private static readonly ContractCodecs<IMenagerie> s_codecs = new();

    public static TheoryData<string> Kept => ["Keeping", "KeepingRecord", "ExtensibleNode"];

    [Theory]
    [MemberData(nameof(Kept))]
    public void They_are_written_behind_what_is_known_in_the_order_of_their_arrival(string method)
    {
        Assert.Equal("0807" + "6001" + "5002" + "6003" + "2a0161", Return(method, "6001" + "5002" + "0807" + "6003" + "2a0161"));
    }

    [Theory]
    [MemberData(nameof(Kept))]
    public void All_wire_types_are_kept_and_numbers_become_as_short_as_they_can(string method)
    {
        Assert.Equal("5d01020304" + "590102030405060708" + "60ffffffffffffffffff01", Return(method, "5d01020304" + "590102030405060708" + "60ffffffffffffffffff01"));
        Assert.Equal("2805" + "2a03616263", Return(method, "a88000" + "85808080808000" + "2a838000616263"));
        Assert.Equal("5b" + "0801" + "53" + "2801" + "54" + "5c" + "f8ffffff0f01", Return(method, "5b" + "088100" + "53" + "288100" + "54" + "5c" + "f8ffffff0f01"));
    }

    [Theory]
    [MemberData(nameof(Kept))]
    public void Every_message_keeps_its_own(string method)
    {
        Assert.Equal("1206" + "1202" + "6002" + "6001" + "6003", Return(method, "6003" + "1206" + "6001" + "1202" + "6002"));
        Assert.Equal("1204" + "6001" + "6002", Return(method, "1202" + "6001" + "1202" + "6002"));
    }

    [Theory]
    [MemberData(nameof(Kept))]
    public void A_group_that_is_a_message_ends_where_it_ends(string method)
    {
        Assert.Equal("1204" + "0805" + "6001", Return(method, "13" + "6001" + "0805" + "14"));
    }

    [Theory]
    [MemberData(nameof(Kept))]
    public void What_is_no_field_is_refused_as_ever(string method)
    {
        foreach (var hex in new[] { "60", "60ffffffffffffffffffff01", "5d010203", "59", "2a05", "2affffffff0f", "5b", "5b6001", "5b54", "5c", "5e", "03", "6000" + "5b5b5b" })
        {
            var exception = Assert.Throws<InvalidMessageException>(() => s_codecs.Request(method).Decode(Convert.FromHexString(hex)));
            Assert.Contains("byte ", exception.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void They_can_be_looked_at_and_dropped()
    {
        var codec = s_codecs.Request("Keeping");
        var keeping = (Keeping)codec.Decode(Convert.FromHexString("0801" + "6001"))!;
        var unknown = keeping.TellUnknown()!;
        Assert.Equal((2, false), (unknown.Length, unknown.IsEmpty));
        Assert.Equal([0x60, 0x01], unknown.Bytes.ToArray());
        unknown.Clear();
        Assert.True(unknown.IsEmpty);
        Assert.Equal("0801", Convert.ToHexStringLower(codec.Encode(keeping)));
        Assert.Null(((Keeping)codec.Decode([0x08, 0x01])!).TellUnknown());
    }

    [Fact]
    public void They_stay_with_arrays_that_are_joined()
    {
        Assert.Equal("1a020102" + "6001", Return("Keeping", "1a0101" + "6001" + "1a0102"));
    }

    [Theory]
    [InlineData("KeepingBase")]
    [InlineData("ExtensibleBase")]
    public void Classes_that_inherit_each_other_keep_what_is_unknown_in_their_own_part(string method)
    {
        Assert.Equal("5204" + "6001" + "6002" + "0805" + "6003", Return(method, "6003" + "5204" + "6001" + "6002" + "0805"));
    }

    [Fact]
    public void They_are_kept_when_the_object_becomes_one_of_a_derived_class()
    {
        Assert.Equal("5200" + "6003", Return("KeepingBase", "6003" + "5200"));
    }

    [Fact]
    public void Many_of_them_take_memory_in_proportion()
    {
        var bytes = Enumerable.Range(0, 200_000).SelectMany(static _ => new byte[] { 0x60, 0x01 }).ToArray();
        var codec = s_codecs.Request("ExtensibleNode");
        codec.Decode(bytes);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Equal(bytes.Length, ((ExtensibleNode)codec.Decode(bytes)!).Kept);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 16 * bytes.Length);
    }

    [Fact]
    public void A_message_that_says_the_same_member_again_and_again_does_not_make_them_be_copied_without_end()
    {
        var first = new byte[20_000];
        for (int i = 0; i < first.Length; i += 2) (first[i], first[i + 1]) = (0x60, 0x01);
        var bytes = new List<byte> { 0x12, 0xa0, 0x9c, 0x01 };
        bytes.AddRange(first);
        for (int i = 0; i < 20_000; i++) bytes.AddRange([0x12, 0x02, 0x60, 0x01]);
        var exception = Assert.Throws<InvalidMessageException>(() => s_codecs.Request("ExtensibleNode").Decode([.. bytes]));
        Assert.Contains("merging the repetitions would take too long", exception.Message, StringComparison.Ordinal);
        Assert.NotNull(s_codecs.Request("Keeping").Decode([.. bytes]));
    }

    private static string Return(string method, string hex)
    {
        var codec = s_codecs.Request(method);
        return Convert.ToHexStringLower(codec.Encode(codec.Decode(Convert.FromHexString(hex))));
    }
}
