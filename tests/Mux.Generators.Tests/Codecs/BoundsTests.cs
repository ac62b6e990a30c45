#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using System.Runtime.InteropServices;
using Mux.Generators.Tests.Messages;
using Mux.Protobuf;
using Mux.Serialization;
using Codec = Mux.Generated.Mux_Generators_Tests.Mux_Generators_Tests_Messages_Specimen_Codec;

namespace Mux.Generators.Tests.Codecs;

/// <summary>What is fast checks once for many bytes: none may lie beyond those that it was given.</summary>
public sealed class BoundsTests
{
    private const int LargestMessage = 1 << 20;

    [Fact]
    public void A_message_cut_anywhere_is_not_read_beyond_its_end()
    {
        using var memory = MemoryOrSkip();
        int seed = Environment.TickCount;
        for (int i = 0; i < 10; i++)
        {
            var bytes = Encode(new SpecimenFactory(seed + i).Next(depth: 1));
            for (int length = 0; length <= bytes.Length; length++) ReadOrRefuse(memory, bytes.AsSpan(0, length), $"seed {seed + i}, cut at {length}");
        }
    }

    [Fact]
    public void A_message_with_changed_bytes_is_not_read_beyond_its_end()
    {
        using var memory = MemoryOrSkip();
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < 5000; i++)
        {
            var bytes = Encode(new SpecimenFactory(random.Next()).Next(depth: 1));
            if (bytes.Length == 0) continue;
            for (int change = random.Next(1, 6); change > 0; change--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            ReadOrRefuse(memory, bytes.AsSpan(0, random.Next(bytes.Length + 1)), $"seed {seed}, round {i}");
        }
    }

    [Fact]
    public void A_message_is_not_written_beyond_the_memory_it_has()
    {
        using var memory = MemoryOrSkip();
        int seed = Environment.TickCount;
        var overflow = new MessageBuffer();
        for (int i = 0; i < 5; i++)
        {
            var specimen = new SpecimenFactory(seed + i).Next(depth: 1);
            var expected = Encode(specimen);
            for (int size = 0; size <= expected.Length; size++)
            {
                var writer = new MessageWriter(memory.Last(size), overflow);
                Codec.Write(ref writer, specimen);
                Assert.True(writer.Written.SequenceEqual(expected), $"seed {seed + i}, {size} bytes of memory");
                overflow.Release();
            }
        }
    }

    private static GuardedMemory MemoryOrSkip()
    {
        Assert.SkipUnless(RuntimeInformation.IsOSPlatform(OSPlatform.Linux), "pages are guarded by calls of Linux");
        return new GuardedMemory(LargestMessage);
    }

    private static byte[] Encode(Specimen specimen)
    {
        var overflow = new MessageBuffer();
        var writer = new MessageWriter([], overflow);
        Codec.Write(ref writer, specimen);
        return writer.Written.ToArray();
    }

    private static void ReadOrRefuse(GuardedMemory memory, ReadOnlySpan<byte> bytes, string hint)
    {
        var guarded = memory.Last(bytes.Length);
        bytes.CopyTo(guarded);
        try
        {
            var reader = new MessageReader(guarded, Codec.Schema);
            Codec.Read(ref reader, null);
        }
        catch (InvalidMessageException)
        {
        }
        catch (Exception exception)
        {
            Assert.Fail($"{hint}: {Convert.ToHexString(bytes)}: {exception}");
        }
    }
}
