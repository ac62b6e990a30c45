using Mux.Generators.Tests.Messages;
using Mux.Generators.Tests.Vectors;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Guids, decimals, dates and the like as items of collections and in the entries of maps.</summary>
public sealed class RegisterTests
{
    private static readonly MessageCodec s_register = new ContractCodecs<IZoo>().Request("Register");

    [Fact]
    public void Zeros_of_days_and_times_are_left_out_of_entries_and_all_others_are_written()
    {
        Assert.Equal("0a08" + "0a00" + "1204" + "0801100f", Hex(new Register { Stamps = new() { [Guid.Empty] = DateTime.MinValue } }));
        Assert.Equal("1205" + "0a00" + "120130", Hex(new Register { Amounts = new() { [Guid.Empty] = 0 } }));
        Assert.Equal("1a00" + "1a04" + "0801" + "1002", Hex(new Register { Openings = new() { [default] = default, [DateOnly.FromDayNumber(1)] = new TimeOnly(2) } }));
        Assert.Equal("2207" + "0a0161" + "1202" + "1064", Hex(new Register { Spans = new() { ["a"] = new TimeSpan(1) } }));
        Assert.Equal("2a05" + "0801" + "120161", Hex(new Register { Addresses = new() { [1] = new Uri("a", UriKind.Relative) } }));
    }

    [Fact]
    public void What_is_in_collections_and_maps_comes_back()
    {
        var register = new Register
        {
            Stamps = new() { [Guid.NewGuid()] = new DateTime(2024, 2, 29), [Guid.Empty] = DateTime.MaxValue },
            Amounts = new() { [Guid.NewGuid()] = 1.50m },
            Openings = new() { [DateOnly.MaxValue] = TimeOnly.MaxValue, [default] = default },
            Spans = new() { [string.Empty] = TimeSpan.MinValue },
            Addresses = new() { [-1] = new Uri("http://host/") },
            Dates = [DateTime.UnixEpoch, new DateTime(0, DateTimeKind.Utc)],
            Ids = [Guid.NewGuid(), Guid.Empty],
            Prices = [1.5m, 0.00m],
            Gaps = [null, new DateTime(1), null],
            Blobs = new([new byte[] { 1, 2 }, default]),
            Times = [new TimeOnly(1), default],
            Wrapped = Guid.Empty,
        };
        Assert.Null(ObjectComparer.Difference(register, s_register.Decode(s_register.Encode(register))));
    }

    [Fact]
    public void An_entry_without_a_value_has_the_default_value()
    {
        var read = Decode("0a00" + "1200" + "1a00" + "2200" + "2a00");
        Assert.Equal((default, default), (read.Stamps![Guid.Empty], read.Amounts![Guid.Empty]));
        Assert.Equal((default, default), (read.Openings![default], read.Spans![string.Empty]));
        Assert.Null(read.Addresses![0]);
    }

    [Fact]
    public void A_value_in_an_entry_that_is_out_of_range_is_refused_with_its_message()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => Decode("0a06" + "0a00" + "12021006"));
        Assert.StartsWith("Mux.Generators.Tests.Messages.Register.Stamps, field 2 (Value), byte 8: its value is out of the range of DateTime.", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("4200", 100_000)] // decimals of 24 bytes
    [InlineData("520161", 100_000)] // memory
    public void Items_that_take_little_on_the_wire_take_bounded_memory(string item, int count)
    {
        var bytes = Convert.FromHexString(string.Concat(Enumerable.Repeat(item, count)));
        long before = GC.GetAllocatedBytesForCurrentThread();
        _ = Record.Exception(() => s_register.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, (4 * 1024 * 1024) + (48L * bytes.Length));
    }

    private static string Hex(Register register) => Convert.ToHexStringLower(s_register.Encode(register));

    private static Register Decode(string hex) => (Register)s_register.Decode(Convert.FromHexString(hex))!;
}
