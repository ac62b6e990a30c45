using System.Runtime.InteropServices;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Wire;

public sealed class MetadataBlockTests
{
    private const string KeyCharacters = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    private const int Unlimited = int.MaxValue;

    [Fact]
    public void Random_metadata_survives_a_round_trip_and_no_cut_of_it_is_taken() => Seeds.ForEach(200, seed =>
    {
        var random = new Random(seed);
        var metadata = Some(random);
        int expected = MetadataBlock.Measure(metadata, out int charge);
        Assert.True(MetadataBlock.TryMeasure(metadata, charge, out int length));
        Assert.Equal(expected, length);
        var payload = new byte[length + random.Next(20)];
        random.NextBytes(payload.AsSpan(length));

        Assert.Equal(length, MetadataBlock.Write(payload, metadata));
        AssertTaken(payload, charge, length, overLimit: false);
        AssertTaken(payload, charge - 1, length, overLimit: true);

        AssertSame(metadata, MetadataBlock.Decode(payload.AsSpan(0, length)));
        for (int cut = 0; cut < length; cut++) AssertMalformed(payload.AsSpan(0, cut));
    });

    [Fact]
    public void A_block_that_ends_inside_an_entry_is_malformed_though_the_payload_goes_on()
    {
        byte[] block = [0, 0, 1, (byte)'a', 2, 0, 7, 8, 2, (byte)'b', (byte)'c', 0, 0];
        for (byte length = 0; length <= block.Length - 2; length++)
        {
            block[0] = length;
            if (length is 0 or 6 or 11) AssertTaken(block, Unlimited, length + 2, overLimit: false); // between entries
            else AssertMalformed(block);
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("A")]
    [InlineData("a b")]
    [InlineData("a\0")]
    [InlineData("a\r\n")]
    [InlineData("a/b")]
    [InlineData("ü")]
    public void A_key_of_other_characters_or_of_none_is_malformed(string key) => AssertMalformed(Block(key));

    [Fact]
    public void The_longest_key_and_the_characters_of_keys_are_taken()
    {
        var block = Block(KeyCharacters, new string('k', 255));

        AssertTaken(block, Unlimited, block.Length, overLimit: false);
        Assert.Equal([KeyCharacters, new string('k', 255)], MetadataBlock.Decode(block).Select(entry => entry.Key));
    }

    [Fact]
    public void A_65th_entry_is_above_the_limit_and_breaks_no_rule()
    {
        var block = Block([.. Enumerable.Repeat("k", 65)]);

        AssertTaken(block, Unlimited, block.Length, overLimit: true);
        block = Block([.. Enumerable.Repeat("k", 64)]);
        AssertTaken(block, Unlimited, block.Length, overLimit: false);
    }

    [Fact]
    public void A_malformed_entry_behind_the_limit_is_malformed_all_the_same() => AssertMalformed(Block([.. Enumerable.Repeat("k", 65), "K"]), maxCharge: 0);

    [Fact]
    public void An_empty_block_is_taken_whatever_the_limit()
    {
        AssertTaken([0, 0], 0, 2, overLimit: false);
        Assert.Equal(0, MetadataBlock.Decode([0, 0]).Count);
    }

    [Fact]
    public void Keys_of_the_runtime_are_left_out()
    {
        var metadata = MetadataBlock.Decode(Block("a", "mux-trace", "mux-", "mux", "b"));

        Assert.Equal(["a", "mux", "b"], metadata.Select(entry => entry.Key));
        Assert.Equal(["V-a", "V-mux", "V-b"], metadata.Select(entry => entry.Text));
    }

    [Fact]
    public void Values_are_copied_into_one_array()
    {
        var block = Block("a", "mux-x", "b");
        var metadata = MetadataBlock.Decode(block);
        block.AsSpan().Clear();

        var arrays = metadata.Select(entry => MemoryMarshal.TryGetArray(entry.Bytes, out var part) ? part.Array : null).ToList();

        Assert.Equal(["V-a", "V-b"], metadata.Select(entry => entry.Text));
        Assert.Same(arrays[0], arrays[1]);
        Assert.Equal(6, arrays[0]!.Length);
    }

    [Fact]
    public void No_metadata_takes_no_block()
    {
        Assert.True(MetadataBlock.TryMeasure(null, 0, out int ofNull));
        Assert.True(MetadataBlock.TryMeasure([], 0, out int ofNone));
        Assert.Equal((0, 0), (ofNull, ofNone));
    }

    [Theory]
    [InlineData(65, 1, 8_192, "The metadata of the reply has 65 entries; at most 64 can be sent.")]
    [InlineData(1, 100, 132, "The metadata of the reply is charged 133 bytes, 32 of them for each entry; the limit is 132.")]
    public void Too_much_is_said_with_its_limit(int entries, int valueLength, int maxCharge, string text)
    {
        var metadata = new MuxMetadata();
        for (int i = 0; i < entries; i++) metadata.Add("k", new byte[valueLength]);

        Assert.False(MetadataBlock.TryMeasure(metadata, maxCharge, out int length));

        Assert.Equal(0, length);
        Assert.Equal(text, MetadataBlock.DescribeExcess(metadata, "reply", $"the limit is {maxCharge}"));
    }

    [Fact]
    public void Random_bytes_are_refused_or_decoded() => Seeds.ForEach(2_000, seed =>
    {
        var random = new Random(seed);
        var payload = new byte[random.Next(60)];
        for (int i = 0; i < payload.Length; i++) payload[i] = random.Next(3) == 0 ? (byte)random.Next(256) : (byte)random.Next(4);
        for (int i = 0; i < payload.Length / 2; i++) payload[random.Next(payload.Length)] = (byte)KeyCharacters[random.Next(KeyCharacters.Length)];
        if (payload.Length > 2) (payload[0], payload[1]) = ((byte)(payload.Length - 2), 0);

        if (!MetadataBlock.TryRead(payload, Unlimited, out int length, out _, out var violation)) Assert.Equal(ConnectionCode.ProtocolError, violation?.Code);
        else Assert.InRange(MetadataBlock.Decode(payload.AsSpan(0, length)).Count, 0, payload.Length / 4);
    });

    private static MuxMetadata Some(Random random)
    {
        var metadata = new MuxMetadata();
        for (int i = random.Next(1, MuxMetadata.MaxEntries + 1); i > 0; i--)
        {
            string key = new(random.GetItems<char>(KeyCharacters, random.Next(20) == 0 ? 255 : random.Next(1, 20)));
            var value = new byte[random.Next(20) == 0 ? random.Next(500) : random.Next(10)];
            random.NextBytes(value);
            if (!key.StartsWith("mux-", StringComparison.Ordinal)) metadata.Add(key, value);
        }

        return metadata;
    }

    /// <summary>Entries with the values "V-key".</summary>
    private static byte[] Block(params string[] keys)
    {
        var entries = keys.Select(key => (Key: System.Text.Encoding.UTF8.GetBytes(key), Value: System.Text.Encoding.UTF8.GetBytes($"V-{key}")))
            .SelectMany(entry => (byte[])[(byte)entry.Key.Length, .. entry.Key, (byte)entry.Value.Length, (byte)(entry.Value.Length >> 8), .. entry.Value])
            .ToArray();
        return [(byte)entries.Length, (byte)(entries.Length >> 8), .. entries];
    }

    private static void AssertTaken(ReadOnlySpan<byte> payload, int maxCharge, int expected, bool overLimit)
    {
        Assert.True(MetadataBlock.TryRead(payload, maxCharge, out int length, out bool isOverLimit, out var violation), violation?.Text);
        Assert.Equal((expected, overLimit, null), (length, isOverLimit, violation));
    }

    private static void AssertMalformed(ReadOnlySpan<byte> payload, int maxCharge = Unlimited)
    {
        Assert.False(MetadataBlock.TryRead(payload, maxCharge, out _, out _, out var violation));
        Assert.Equal(ConnectionCode.ProtocolError, violation?.Code);
    }

    private static void AssertSame(MuxMetadata expected, MuxMetadata actual)
    {
        Assert.Equal(expected.Select(entry => entry.Key), actual.Select(entry => entry.Key));
        Assert.Equal(expected.Select(entry => Convert.ToHexString(entry.Bytes.Span)), actual.Select(entry => Convert.ToHexString(entry.Bytes.Span)));
    }
}
