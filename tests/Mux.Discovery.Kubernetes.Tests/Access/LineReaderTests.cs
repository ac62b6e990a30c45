using System.Text;
using Mux.Discovery.Kubernetes.Api;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Kubernetes.Tests.Access;

/// <summary>Lines of a stream, whatever its chunks are.</summary>
public sealed class LineReaderTests
{
    [Fact]
    public async Task Lines_are_the_same_wherever_chunks_end()
    {
        var random = new Random(TestSeed.Next());
        for (int round = 0; round < 200; round++)
        {
            var lines = Enumerable.Range(0, random.Next(1, 12)).Select(_ => new string((char)random.Next('a', 'z'), random.Next(3) == 0 ? random.Next(60_000) : random.Next(40))).ToList();
            var text = string.Join('\n', lines) + "\n" + new string('-', random.Next(10)); // a beginning that nobody ends is dropped
            Assert.Equal(lines, await ReadAllAsync(text, random, maxLength: 60_000));
        }
    }

    [Theory]
    [InlineData(99, true)]
    [InlineData(100, true)]
    [InlineData(101, false)]
    [InlineData(5_000, false)]
    public async Task A_line_may_be_as_long_as_the_limit(int length, bool isAllowed)
    {
        var text = "first\n" + new string('x', length) + "\nlast\n";
        var reading = ReadAllAsync(text, new Random(1), maxLength: 100);
        if (isAllowed) Assert.Equal(3, (await reading).Count);
        else Assert.Equal("a line is longer than 100 bytes", (await Assert.ThrowsAsync<InvalidDataException>(() => reading)).Message);
    }

    [Fact]
    public async Task A_line_that_never_ends_is_given_up_at_the_limit()
    {
        var stream = new ChunkedStream(new byte[1_000_000], new Random(1));
        using var reader = new LineReader(stream, 100_000);
        await Assert.ThrowsAsync<InvalidDataException>(async () => await reader.ReadAsync(TestContext.Current.CancellationToken));
        Assert.InRange(stream.Position, 100_001, 100_000 + 16 * 1024);
    }

    [Fact]
    public async Task The_time_for_a_line_grows_as_its_length()
    {
        double growth = await LineGrowth.MeasureAsync(static async (stream, length) =>
        {
            using var reader = new LineReader(stream, length);
            while (await reader.ReadAsync(TestContext.Current.CancellationToken) is not null) continue;
        });

        // About 64; 3,000 if each piece is searched from the beginning of the line. The bound is as far from both.
        Assert.InRange(growth, 0, 8 * LineGrowth.Times);
    }

    private static async Task<List<string>> ReadAllAsync(string text, Random random, int maxLength)
    {
        using var reader = new LineReader(new ChunkedStream(Encoding.UTF8.GetBytes(text), random), maxLength);
        var lines = new List<string>();
        while (await reader.ReadAsync(TestContext.Current.CancellationToken) is { } line) lines.Add(Encoding.UTF8.GetString(line));
        return lines;
    }

    /// <summary>Gives a random part of what is asked for.</summary>
    private sealed class ChunkedStream(byte[] content, Random random) : MemoryStream(content)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..random.Next(1, buffer.Length + 1)], cancellationToken);
    }
}
