using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Codecs;

/// <summary>What is left out of values of the framework, what is appended to, and what they are as arguments and results.</summary>
public sealed class OccasionTests
{
    // Required zeros, the Guid that is always written, and what was preset to memory.
    private const string Least = "0a00" + "120130" + "1a00" + "5a00" + "6201aa" + "6a0102" + "7201bb";

    private static readonly MessageCodec s_occasion = new ContractCodecs<IZoo>().Request("Occasion");
    private static readonly ContractCodecs<ILevels> s_levels = new();

    [Fact]
    public void Required_zeros_are_written_and_defaults_are_not()
    {
        Assert.Equal(Least, Encode(new Occasion()));
    }

    [Fact]
    public void Zeros_are_written_where_another_value_is_the_default()
    {
        var zero = new Occasion { Price = 0, Discount = 0, Limit = 0, Id = Guid.Empty, Starts = default, Lasts = TimeSpan.Zero, Site = new Uri(string.Empty, UriKind.Relative) };
        var written = "220130" + "2a0130" + "320130" + "3a00" + "420b088092b8c398feffffff01" + "4a00" + "5200";
        Assert.Equal(Least.Insert("0a001201301a00".Length, written), Encode(zero));
        var read = Decode(Encode(zero));
        Assert.Equal((0m, 0m, 0m, Guid.Empty), (read.Price, read.Discount, read.Limit, read.Id));
        Assert.Equal((DateTime.MinValue, TimeSpan.Zero), (read.Starts, read.Lasts));
    }

    [Fact]
    public void A_default_is_found_whatever_its_scale_or_kind()
    {
        Assert.Equal(Least, Encode(new Occasion { Price = 1.500m, Starts = new DateTime(2024, 2, 29, 12, 30, 15, DateTimeKind.Utc) }));
    }

    [Fact]
    public void Memory_that_is_empty_is_written_and_memory_that_comes_again_is_appended()
    {
        var empty = new Occasion { Memory = default, Segment = default, MaybeMemory = null };
        Assert.Equal("6200" + "6a00", Encode(empty)[^8..]);

        var preset = Decode("6a0107" + "620105" + "720106" + "6202" + "0809" + "6a00" + "7201ff" + "6200");
        Assert.Equal([0xaa, 5, 8, 9], preset.Memory.ToArray());
        Assert.Equal([2, 7], preset.Segment.ToArray());
        Assert.Equal([0xbb, 6, 0xff], preset.MaybeMemory!.Value.ToArray());
    }

    [Fact]
    public void A_value_that_travels_alone_or_in_a_list_is_written_at_the_level_of_the_contract()
    {
        var id = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal("0a2430303131323233332d343435352d363637372d383839392d616162626363646465656666", Hex(s_levels.Request("Alone"), id));
        Assert.Equal("0a00", Hex(s_levels.Request("Alone"), Guid.Empty));
        Assert.Equal("0a060880c2aff005", Hex(s_levels.Response("Alone"), new DateTime(2020, 1, 1)));
        Assert.Equal(string.Empty, Hex(s_levels.Response("Alone"), null));
        Assert.Equal("0a0308982a" + "0a00", Hex(s_levels.Request("Several"), new List<TimeSpan> { TimeSpan.FromMinutes(90), TimeSpan.Zero }));
        Assert.Equal("0a04312e3235" + "0a0130", Hex(s_levels.Response("Several"), new[] { 1.25m, 0 }));
        Assert.Equal("0800", Hex(s_levels.Request("Day"), DateOnly.MinValue));
        Assert.Equal("0a00", Hex(s_levels.Response("Day"), ReadOnlyMemory<byte>.Empty));
        Assert.Equal("0a0161", Hex(s_levels.Response("Together"), new Uri("a", UriKind.Relative)));
    }

    [Fact]
    public void A_value_that_travels_alone_is_written_at_level_200_where_the_contract_says_so()
    {
        var sut = new ContractCodecs<ILevelsAsNet>();
        var id = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        Assert.Equal("0a12093322110055447766118899aabbccddeeff", Hex(sut.Request("Alone"), id));
        Assert.Equal("0a0408ac9d02", Hex(sut.Response("Alone"), new DateTime(2020, 1, 1)));
        Assert.Equal("0a0508b4011002" + "0a00", Hex(sut.Request("Several"), new List<TimeSpan> { TimeSpan.FromMinutes(90), TimeSpan.Zero }));
        Assert.Equal("0a04087d1804" + "0a00", Hex(sut.Response("Several"), new[] { 1.25m, 0 }));
    }

    [Fact]
    public void Several_arguments_are_written_at_the_level_of_the_contract()
    {
        const string hex = "0a2430303131323233332d343435352d363637372d383839392d616162626363646465656666" + "120608d7f181af06" + "1a04312e3235";
        var arguments = s_levels.Request("Together").Decode(Convert.FromHexString(hex));
        Assert.Equal(hex, Hex(s_levels.Request("Together"), arguments));
    }

    private static string Hex(MessageCodec codec, object? value) => Convert.ToHexStringLower(codec.Encode(value));

    private static string Encode(Occasion occasion) => Hex(s_occasion, occasion);

    private static Occasion Decode(string hex) => (Occasion)s_occasion.Decode(Convert.FromHexString(hex))!;
}
