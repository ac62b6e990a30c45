using Mux.Generators.Tests.Messages;
using Mux.Protobuf;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Bytes that nobody wrote, or that somebody wrote to do harm.</summary>
public sealed class HostileBytesTests
{
    // The costliest byte is an item of a list of messages: two of them make an object and a reference.
    private const int MaxBytesPerByte = 100;
    private const int MaxBytesAtAll = 4096;
    private const int SmallStack = 256 * 1024;

    private static readonly ContractCodecs<IZoo> s_codecs = new();
    private static readonly MessageCodec s_specimen = s_codecs.Request("Specimen");
    private static readonly MessageCodec s_link = s_codecs.Request("Link");

    [Fact]
    public void A_message_cut_anywhere_is_read_or_refused()
    {
        var bytes = s_specimen.Encode(new SpecimenFactory(7).Next());
        for (int length = 0; length < bytes.Length; length++) ReadOrRefuse(s_specimen, bytes[..length], $"cut at {length}");
    }

    [Fact]
    public void A_message_with_changed_bytes_is_read_or_refused()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < 3000; i++)
        {
            var bytes = s_specimen.Encode(new SpecimenFactory(random.Next()).Next(depth: 1));
            if (bytes.Length == 0) continue;
            for (int change = random.Next(1, 6); change > 0; change--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            ReadOrRefuse(s_specimen, bytes, $"seed {seed}, round {i}");
        }
    }

    [Fact]
    public void Random_bytes_are_read_or_refused()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int i = 0; i < 20_000; i++)
        {
            var bytes = new byte[random.Next(64)];
            random.NextBytes(bytes);
            ReadOrRefuse(s_specimen, bytes, $"seed {seed}, round {i}");
        }
    }

    [Theory]
    [InlineData("8201ffffffff0761")] // a string of 2 GiB
    [InlineData("8a01ffffffff0761")] // bytes of 2 GiB
    [InlineData("da01f8ffffff0761")] // a packed block of 2 GiB, a multiple of eight
    [InlineData("d201ffffffff0761")] // the same of varints
    [InlineData("a201ffffffffffffffffff01")] // a message of 2^64 - 1
    [InlineData("f2ff7fffffffff07")] // an unknown field
    public void A_length_beyond_the_bytes_present_is_refused_before_anything_is_allocated(string hex)
    {
        var bytes = Convert.FromHexString(hex);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.False(IsReadable(s_specimen, bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
    }

    [Theory]
    [InlineData(0x0a)] // messages with a length
    [InlineData(0x0b)] // groups
    [InlineData(0x12)] // in a list
    [InlineData(0x13)]
    [InlineData(0x7b)] // groups that nobody knows
    public void Nesting_without_end_is_refused_on_a_small_stack(byte tag)
    {
        var bytes = (tag & 7) == 3 ? Enumerable.Repeat(tag, 1_000_000).ToArray() : Nested(tag, 100_000);
        OnSmallStack(() => Assert.False(IsReadable(s_link, bytes)));
    }

    [Fact]
    public void A_circle_of_objects_is_refused_on_a_small_stack()
    {
        var circle = new Link { Others = [] };
        circle.Others.Add(circle);
        OnSmallStack(() => Assert.Throws<InvalidMessageException>(() => s_link.Encode(circle)));
    }

    [Fact]
    public void The_deepest_message_fits_on_a_small_stack()
    {
        var specimen = new Specimen();
        for (int i = 1; i < MessageReader.MaxDepth - 1; i++) specimen = new Specimen { Inner = specimen };
        OnSmallStack(() => Assert.NotNull(s_specimen.Decode(s_specimen.Encode(specimen))));
    }

    [Fact]
    public void An_error_names_message_field_and_offset()
    {
        var exception = Assert.Throws<InvalidMessageException>(() => s_specimen.Decode(Convert.FromHexString("0801" + "9201" + "04" + "0a057861")));
        Assert.Equal("Mux.Generators.Tests.Messages.Leaf, field 1 (Name), byte 7: its length says 5 bytes and 2 are left.", exception.Message);
        exception = Assert.Throws<InvalidMessageException>(() => s_specimen.Decode(Convert.FromHexString("0801" + "1205")));
        Assert.Equal("Mux.Generators.Tests.Messages.Specimen, field 2 (Character), byte 3: it is written as Bytes, which does not fit its type.", exception.Message);
    }

    private static void ReadOrRefuse(MessageCodec codec, byte[] bytes, string hint)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            codec.Decode(bytes);
        }
        catch (InvalidMessageException)
        {
        }
        catch (Exception exception)
        {
            Assert.Fail($"{hint}: {Convert.ToHexString(bytes)}: {exception}");
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated <= MaxBytesAtAll + MaxBytesPerByte * bytes.Length, $"{hint}: {allocated} bytes allocated for {bytes.Length}: {Convert.ToHexString(bytes)}");
    }

    private static bool IsReadable(MessageCodec codec, byte[] bytes)
    {
        try
        {
            codec.Decode(bytes);
            return true;
        }
        catch (InvalidMessageException)
        {
            return false;
        }
    }

    // Outermost first: every length counts all that follows.
    private static byte[] Nested(byte tag, int depth)
    {
        var reversed = new List<byte>();
        for (int i = 0; i < depth; i++)
        {
            uint length = (uint)reversed.Count;
            var prefix = new List<byte> { tag };
            for (; length >= 0x80; length >>= 7) prefix.Add((byte)(length | 0x80));
            prefix.Add((byte)length);
            prefix.Reverse();
            reversed.AddRange(prefix);
        }

        reversed.Reverse();
        return [.. reversed];
    }

    private static void OnSmallStack(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action), SmallStack);
        thread.Start();
        Assert.True(thread.Join(TimeSpan.FromSeconds(60)), "the thread with the small stack did not end");
        Assert.Null(failure);
    }
}
