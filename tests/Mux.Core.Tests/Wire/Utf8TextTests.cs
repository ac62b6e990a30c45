using System.Text;
using Mux.Protocol;

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
    public void What_steers_a_terminal_or_begins_a_line_is_read_as_a_replacement()
    {
        for (int code = 0; code <= char.MaxValue; code++)
        {
            char character = (char)code;
            if (char.IsSurrogate(character)) continue;
            bool isRefused = char.IsControl(character) || character is '\u2028' or '\u2029';

            var read = Utf8Text.Read(Encoding.UTF8.GetBytes($"a{character}b"), 10);

            Assert.Equal($"a{(isRefused ? '\uFFFD' : character)}b", read);
        }
    }

    [Fact]
    public void No_text_of_the_peer_brings_a_line_of_its_own()
    {
        const string Text = "gone\r\n\u001B[31mfake line";
        const string Shown = "gone\uFFFD\uFFFD\uFFFD[31mfake line";
        var payload = new byte[FailFrame.MaxWrittenLength];

        int length = new FailFrame(1, MuxExecution.Executed, 0, Text).Write(payload);
        Assert.True(FailFrame.TryRead(payload.AsSpan(0, length), out var fail, out _));
        Assert.Equal(Shown, fail.Text);

        length = new GoAwayFrame(ConnectionCode.Internal, 0, Text).Write(payload);
        Assert.True(GoAwayFrame.TryRead(payload.AsSpan(0, length), out var goAway, out _));
        Assert.Equal(Shown, goAway.Text);

        length = new HelloFrame(1, 1, new PeerSettings { PeerName = Text }).Write(payload);
        Assert.True(HelloFrame.TryRead(payload.AsSpan(0, length), out var hello, out _));
        Assert.Equal(Shown, hello!.Settings.PeerName);
    }

    [Fact]
    public void What_is_read_is_cut_at_its_limit() => Assert.Equal("abc", Utf8Text.Read("abcdef"u8, 3));
}
