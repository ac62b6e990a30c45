using System.Text;

namespace Mux.Redis.Tests;

/// <summary>What is read as a message of a server of Mux, and what is not: others may write to the same Redis.</summary>
public sealed class RedisMessageTests
{
    [Theory]
    [InlineData("0 ", 0, "")]
    [InlineData("7 body", 7, "body")]
    [InlineData("7  body", 7, " body")]
    [InlineData("9223372036854775807 x", long.MaxValue, "x")]
    public void A_message_is_a_number_and_a_body(string text, long number, string body)
    {
        Assert.True(RedisMessage.TryRead(text, out var message));
        Assert.Equal((number, body), (message.Number, Encoding.ASCII.GetString(message.Body.Span)));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" ")]
    [InlineData("7")]
    [InlineData("7x")]
    [InlineData("-1 x")]
    [InlineData(" 7 x")]
    [InlineData("x 7")]
    [InlineData("9223372036854775808 x")]
    [InlineData("look x")]
    public void Anything_else_is_no_message(string text) => Assert.False(RedisMessage.TryRead(text, out _));

    [Fact]
    public void A_mark_is_read_as_its_asker_and_not_as_a_message()
    {
        var asked = Guid.NewGuid();
        byte[] mark = RedisMessage.Mark(asked);
        Assert.True(RedisMessage.TryReadMark(mark, out var read));
        Assert.Equal(asked, read);
        Assert.False(RedisMessage.TryRead(mark, out _));
        Assert.False(RedisMessage.TryReadMark(mark[..^1], out _));
        Assert.False(RedisMessage.TryReadMark((byte[])[.. mark, 0], out _));
        Assert.False(RedisMessage.TryReadMark(RedisMessage.Unnumber(new byte[19]), out _));
    }
}
