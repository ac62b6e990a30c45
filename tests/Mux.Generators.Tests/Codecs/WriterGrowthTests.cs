#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using Mux.Protobuf;
using Mux.Serialization;
using Codec = Mux.Generated.Mux_Generators_Tests.Mux_Generators_Tests_Messages_Specimen_Codec;

namespace Mux.Generators.Tests.Codecs;

/// <summary>A message moves to other memory when it outgrows its own, wherever that happens.</summary>
public sealed class WriterGrowthTests
{
    [Fact]
    public void A_message_is_the_same_however_little_memory_it_starts_in()
    {
        var specimen = new SpecimenFactory(11).Next();
        var buffer = MessageBuffer.Rent();
        var whole = buffer.CreateWriter();
        Codec.Write(ref whole, specimen);
        var expected = whole.Written.ToArray();

        var target = new byte[expected.Length];
        for (int size = 0; size <= target.Length; size++)
        {
            var writer = new MessageWriter(target.AsSpan(0, size), buffer);
            Codec.Write(ref writer, specimen);
            Assert.True(writer.Written.SequenceEqual(expected), $"target of {size} bytes");
        }

        buffer.Return();
    }

    [Theory]
    [InlineData(0u, 0)]
    [InlineData(1u << 3, 1)]
    [InlineData(16u << 3, 2)]
    [InlineData(uint.MaxValue, 5)]
    public void Numbers_of_the_largest_size_fill_a_block_to_its_last_byte(uint tag, int tagSize)
    {
        AssertFills(tagSize + 1, (scoped ref writer) => writer.WriteVarints(tag, [true, true, true]));
        AssertFills(tagSize + 10, (scoped ref writer) => writer.WriteVarints(tag, [-1, -1, -1]));
        AssertFills(tagSize + 5, (scoped ref writer) => writer.WriteVarints(tag, [uint.MaxValue, uint.MaxValue, uint.MaxValue]));
        AssertFills(tagSize + 10, (scoped ref writer) => writer.WriteVarints(tag, [-1L, -1L, -1L]));
        AssertFills(tagSize + 10, (scoped ref writer) => writer.WriteVarints(tag, [ulong.MaxValue, ulong.MaxValue, ulong.MaxValue]));
        AssertFills(tagSize + 5, (scoped ref writer) => writer.WriteZigZags(tag, [int.MinValue, int.MinValue, int.MinValue]));
        AssertFills(tagSize + 10, (scoped ref writer) => writer.WriteZigZags(tag, [long.MinValue, long.MinValue, long.MinValue]));
        AssertFills(tagSize + 4, (scoped ref writer) => writer.WriteFixeds(tag, [1, 2, 3]));
        AssertFills(tagSize + 4, (scoped ref writer) => writer.WriteFixeds(tag, [1u, 2u, 3u]));
        AssertFills(tagSize + 4, (scoped ref writer) => writer.WriteFixeds(tag, [1f, 2f, 3f]));
        AssertFills(tagSize + 8, (scoped ref writer) => writer.WriteFixeds(tag, [1L, 2L, 3L]));
        AssertFills(tagSize + 8, (scoped ref writer) => writer.WriteFixeds(tag, [1ul, 2ul, 3ul]));
        AssertFills(tagSize + 8, (scoped ref writer) => writer.WriteFixeds(tag, [1d, 2d, 3d]));
    }

    private delegate void Writing(scoped ref MessageWriter writer);

    /// <summary>Three numbers stay in the memory in which they fit without a byte to spare, and are the same elsewhere.</summary>
    private static void AssertFills(int size, Writing write)
    {
        var target = new byte[3 * size];
        var overflow = new MessageBuffer();
        var exact = new MessageWriter(target, overflow);
        write(ref exact);
        Assert.Equal(target.Length, exact.Count);
        Assert.True(exact.Written.Overlaps(target), $"{size} bytes each: moved");
        var moving = new MessageWriter(new byte[1], overflow);
        write(ref moving);
        Assert.Equal(target, moving.Written.ToArray());
        overflow.Release();
    }

    [Fact]
    public void What_stands_before_a_message_stays_when_it_moves()
    {
        var buffer = MessageBuffer.Rent();
        var writer = new MessageWriter(new byte[8], buffer);
        writer.Write([1, 2, 3]);
        Codec.Write(ref writer, new Messages.Specimen { Text = new string('x', 200_000) });
        Assert.Equal([1, 2, 3], writer.Written[..3].ToArray());
        writer.Rewind(3);
        Assert.Equal(3, writer.Count);
        buffer.Return();
    }
}
