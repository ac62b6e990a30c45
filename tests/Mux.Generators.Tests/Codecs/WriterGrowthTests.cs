#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
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
