using System.Text;
using Mux.Tool.Contracts;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Where the values of a stream of JSON end.</summary>
public sealed class JsonSourceTests
{
    [Theory]
    [InlineData("{} {}", "{}", "{}")]
    [InlineData("{}{\"a\":\"}\"}\n[1,2]", "{}", "{\"a\":\"}\"}", "1", "2")]
    [InlineData("[{},\n [1], \"a,b\"]", "{}", "[1]", "\"a,b\"")]
    [InlineData("[]")]
    [InlineData(" \n\n ")]
    [InlineData("1 true \"x\"", "1", "true", "\"x\"")]
    public void Values_are_taken_one_after_the_other(string text, params string[] values)
    {
        var sut = Open(text);

        foreach (var value in values) Assert.Equal(value, Encoding.UTF8.GetString(sut.Read()!));
        Assert.Null(sut.Read());
    }

    [Theory]
    [InlineData("[{},]", "Line 1: the array ends behind a ','; expected an element.")]
    [InlineData("[{}\n{}]", "Line 2: an element of the array is followed by neither ',' nor ']'.")]
    [InlineData("[{},\n", "Line 2: the array has no end; expected ',' or ']'.")]
    public void An_array_that_goes_on_wrongly_is_refused_with_its_line(string text, string reason)
    {
        var sut = Open(text);

        Assert.Equal("{}", Encoding.UTF8.GetString(sut.Read()!));
        Assert.Equal(reason, Assert.Throws<InvalidDataException>(sut.Read).Message);
    }

    [Fact]
    public void Lines_without_values_take_no_memory()
    {
        const int Blanks = 10_000_000;
        var sut = new JsonSource(new BlankStream(Blanks));
        long before = GC.GetAllocatedBytesForCurrentThread();

        Assert.Null(sut.Read());

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Blanks / 10);
    }

    private static JsonSource Open(string text) => new(new MemoryStream(Encoding.UTF8.GetBytes(text)));

    /// <summary>Nothing but ends of lines.</summary>
    private sealed class BlankStream(long left) : MemoryStream
    {
        private long _left = left;

        public override int Read(byte[] buffer, int offset, int count)
        {
            int read = (int)Math.Min(count, _left);
            buffer.AsSpan(offset, read).Fill((byte)'\n');
            _left -= read;
            return read;
        }

        public override int Read(Span<byte> buffer)
        {
            int read = (int)Math.Min(buffer.Length, _left);
            buffer[..read].Fill((byte)'\n');
            _left -= read;
            return read;
        }
    }
}
