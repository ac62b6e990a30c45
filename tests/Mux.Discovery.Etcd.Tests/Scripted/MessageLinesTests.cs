using System.Text;
using Mux.Discovery.Etcd.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>Lines of a stream of responses, whatever its pieces are.</summary>
public sealed class MessageLinesTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(100_000)]
    public async Task Lines_are_the_same_wherever_pieces_end(int piece)
    {
        await using var lines = new MessageLines(new PieceStream(Encoding.UTF8.GetBytes("a\n\nbcd\n" + new string('e', 50_000) + "\nf"), piece), TimeProvider.System);
        foreach (var expected in new[] { "a", "bcd", new string('e', 50_000) }) Assert.Equal(expected, await ReadAsync(lines));
        Assert.Equal("the stream has ended", (await Assert.ThrowsAsync<IOException>(() => ReadAsync(lines))).Message);
    }

    [Fact]
    public async Task A_line_that_never_ends_is_left_at_16_MiB()
    {
        var stream = new PieceStream(new byte[MessageLines.MaxLength + 1_000_000], 16 * 1024);
        await using var lines = new MessageLines(stream, TimeProvider.System);
        Assert.Equal("a message is longer than 16777216 bytes", (await Assert.ThrowsAsync<IOException>(() => ReadAsync(lines))).Message);
        Assert.InRange(stream.Position, MessageLines.MaxLength, MessageLines.MaxLength + 64 * 1024);
    }

    [Fact]
    public async Task The_time_for_a_line_grows_as_its_length()
    {
        // Both are below what is read without a pause.
        double growth = await LineGrowth.MeasureAsync(static async (stream, _) =>
        {
            await using var lines = new MessageLines(stream, TimeProvider.System);
            await lines.ReadAsync(static line => line.Length, TestContext.Current.CancellationToken);
        });

        // About 64; 3,000 if each piece is searched from the beginning of the line. The bound is as far from both.
        Assert.InRange(growth, 0, 8 * LineGrowth.Times);
    }

    [Fact]
    public async Task Empty_lines_count_for_the_pace()
    {
        var time = new ManualTime();
        await using var lines = new MessageLines(new PieceStream(Encoding.UTF8.GetBytes(new string('\n', 3_000) + "a\n"), 100_000), time);
        var read = ReadAsync(lines);
        await Eventually.Holds(() => time.ArmedTimers == 1, "the pause");
        Assert.False(read.IsCompleted);
        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal("a", await read.Within("the line"));
    }

    private static Task<string> ReadAsync(MessageLines lines) =>
        lines.ReadAsync(static line => Encoding.UTF8.GetString(line), TestContext.Current.CancellationToken).AsTask();
}
