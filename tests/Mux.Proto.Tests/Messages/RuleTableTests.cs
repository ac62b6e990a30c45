using Google.Protobuf;
using Mux.Serialization;
using Mux.TestSupport.Sources;

namespace Mux.Proto.Tests.Messages;

/// <summary>Each line of the table of docs/proto-first.md: what becomes of bytes that are read and written again, by Mux and by Google's library.</summary>
public sealed class RuleTableTests
{
    private const string Heading = "## As protobuf does";
    private const string Refused = "refused";

    // Message, bytes, and what Mux and Google's library write after they have read them.
    private static readonly Dictionary<string, (string Message, string Bytes, string Mux, string Google)[]> s_rules = new(StringComparer.Ordinal)
    {
        ["another wire type"] =
        [
            Same("scalars/Singular", "1D01000000"),
            Same("scalars/Singular", "8B0108028C01"), // a group, for a message
            Same("old/Blocks", "0A0210020A00"), // a message, for a group
        ],
        ["packed or not"] =
        [
            Same("scalars/Packed", "18011A0202031804", "1A0401020304"),
            Same("scalars/Packed", "1A00", string.Empty),
            Same("scalars/Unpacked", "1A020203", "18021803"),
            Same("old/Lists", "1A020203", "18021803"),
            Same("modern/Mixed", "08002A02020432020204", "08002A02020430023004"),
        ],
        ["a number of more bits"] = [Same("scalars/Singular", "188180808010", "1801"), Same("scalars/Singular", "688080808010", "6801")],
        ["text that is not UTF-8"] =
        [
            Same("scalars/Singular", "7202C328", Refused), Same("old/Plain", "7202C328", Refused), Same("plain/Explicit", "7202C328", Refused),
            Same("scalars/Values", "72040A02C328", Refused), Same("known/Wrapped", "42040A02C328", Refused),
        ],
        ["half of a surrogate pair"] = [],
        ["a number without a name in an enum"] = [Same("scalars/Singular", "80014D"), Same("old/Plain", "80014D"), Same("modern/Mixed", "0800384D")],
        ["the negative zero"] =
        [
            ("scalars/Singular", "090000000000000080", "090000000000000080", string.Empty), Same("scalars/Optional", "1500000080"),
            Same("scalars/Values", "0A0C0A0161110000000000000080"), Same("known/Wrapped", "0A09090000000000000080"),
        ],
        ["NaN"] = [Same("scalars/Singular", "09010000000000F87F")],
        ["zero in an entry or wrapper"] = [Same("scalars/Keys", "0A0408001200", "0A00"), Same("scalars/Values", "8201050A01611000", "8201030A0161"), Same("known/Wrapped", "42020A00", "4200")],
        ["a key twice"] = [Same("scalars/Keys", "0A0508011201610A050801120162", "0A050801120162"), ("scalars/Flags", "1A04080110051A0408011006", "1A04080110051A0408011006", "1A0408011006")],
        ["an entry without key or value"] = [Same("scalars/Keys", "0A00"), Same("scalars/Values", "8A0100", "8A01021200"), ("scalars/Flags", "8A0100", "8A0100", "8A01021200")],
        ["other fields in an entry"] = [Same("scalars/Keys", "0A021801", "0A00")],
        ["fields of no name"] = [("scalars/Singular", "E82B01E02B021801E82B03", "1801E82B01E02B02E82B03", "1801E82B01E82B03E02B02")],
        ["a message twice"] = [Same("scalars/Singular", "8A010208028A01021004", "8A010408021004"), Same("known/Wrapped", "42030A01614200", "42030A0161")],
        ["several of a oneof"] = [Same("scalars/Choices", "20017A0161", "7A0161"), Same("scalars/Choices", "92010208029201021004", "92010408021004"), Same("scalars/Choices", "920102080220019201021004", "9201021004")],
        ["a required field that is absent"] = [("modern/Mixed", string.Empty, "0800", string.Empty)],
        ["a default that is there"] = [Same("old/Defaults", "18F9FFFFFFFFFFFFFFFF01C80104")],
        ["messages in messages"] =
        [
            Same("scalars/Tree", Nested(63)), ("scalars/Tree", Nested(64), Refused, Nested(64)), ("scalars/Tree", Nested(100), Refused, Nested(100)),
            Same("scalars/Tree", Nested(101), Refused),
        ],
        ["more than 64 bits, a tag of more than 32"] =
        [
            ("scalars/Singular", "18FFFFFFFFFFFFFFFFFF7F", Refused, "18FFFFFFFFFFFFFFFFFF01"), ("scalars/Singular", "98808080800001", Refused, "1801"),
        ],
        ["a wire type that does not exist"] = [Same("scalars/Keys", "0E", Refused), ("scalars/Keys", "0A010E", Refused, "0A00")],
        ["`Timestamp`, `Duration`, `bcl`"] =
        [
            Same("known/Times", "0A0408051064"), ("known/Times", "0A0208050A021064", "0A021064", "0A0408051064"), ("known/Times", "0A021001", "0A00", "0A021001"),
            ("known/Times", "0A0408051801", "0A020805", "0A0408051801"),
            ("known/Times", "0A09090500000000000000", "0A020805", "0A09090500000000000000"),
            ("known/Times", "0A0A0880808080808080807F", Refused, "0A0A0880808080808080807F"),
        ],
    };

    public static TheoryData<string> Rules => [.. s_rules.Keys];

    [Fact]
    public void The_table_has_the_rules_that_are_tested()
    {
        var text = File.ReadAllText(Path.Combine(SourceTree.Root, "docs/proto-first.md"));
        int start = text.IndexOf(Heading, StringComparison.Ordinal);
        var section = text[start..text.IndexOf("\n## ", start + 1, StringComparison.Ordinal)];
        var rows = section.Split('\n').Where(static line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(1).Select(static line => line.Split('|')[1].Trim());
        Assert.Equal(s_rules.Keys.Order(StringComparer.Ordinal), rows.Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Rules))]
    public void Bytes_are_read_and_written_as_the_table_says(string rule) => Assert.All(s_rules[rule], static row =>
    {
        var echo = Echo.Of("tests." + row.Message);
        var bytes = Convert.FromHexString(row.Bytes);
        Assert.Equal(row.Mux, Written(() => echo.Rewrite(bytes)));
        Assert.Equal(row.Google, Written(() => echo.Parse(bytes).ToByteArray()));
    });

    [Fact]
    public void Half_of_a_surrogate_pair_is_written_as_by_Google()
    {
        var mine = Echo.Of("tests.scalars/Singular").Codec.Encode(new Imported.Scalars.Singular { OfString = "a\ud800b" });
        Assert.Equal("720561EFBFBD62", Convert.ToHexString(mine));
        Assert.Equal("720561EFBFBD62", Convert.ToHexString(new Theirs.Scalars.Singular { OfString = "a\ud800b" }.ToByteArray()));
    }

    private static (string Message, string Bytes, string Mux, string Google) Same(string message, string bytes, string? written = null) =>
        (message, bytes, written ?? bytes, written ?? bytes);

    private static string Nested(int count)
    {
        byte[] bytes = [];
        for (; count > 0; count--) bytes = bytes.Length < 0x80 ? [0x12, (byte)bytes.Length, .. bytes] : [0x12, (byte)(bytes.Length | 0x80), (byte)(bytes.Length >> 7), .. bytes];
        return Convert.ToHexString(bytes);
    }

    private static string Written(Func<byte[]> write)
    {
        try
        {
            return Convert.ToHexString(write());
        }
        catch (Exception error) when (error is InvalidProtocolBufferException or InvalidMessageException)
        {
            return Refused;
        }
    }
}
