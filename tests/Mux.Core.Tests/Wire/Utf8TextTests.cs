using Mux.Wire;

namespace Mux.Core.Tests.Wire;

public sealed class Utf8TextTests
{
    [Theory]
    [InlineData("", 4, "")]
    [InlineData("abcd", 4, "abcd")]
    [InlineData("abcde", 4, "abcd")]
    [InlineData("abcü", 4, "abc")]
    [InlineData("ab😀", 5, "ab")]
    public void Text_is_cut_at_whole_characters(string text, int room, string written)
    {
        var bytes = new byte[room];

        int count = Utf8Text.WriteCut(bytes, text);

        Assert.Equal(written, Utf8Text.Read(bytes.AsSpan(0, count), room));
    }

    [Fact]
    public void Half_a_surrogate_pair_is_written_as_a_replacement()
    {
        var bytes = new byte[10];

        Assert.Equal(3, Utf8Text.WriteCut(bytes, "\uD800"));

        Assert.Equal("\uFFFD", Utf8Text.Read(bytes.AsSpan(0, 3), 10));
    }

    [Fact]
    public void What_is_read_is_cut_at_its_limit() => Assert.Equal("abc", Utf8Text.Read("abcdef"u8, 3));
}
