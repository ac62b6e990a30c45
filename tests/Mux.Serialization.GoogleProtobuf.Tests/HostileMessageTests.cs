using System.Diagnostics;
using Google.Protobuf;

namespace Mux.Serialization.GoogleProtobuf.Tests;

/// <summary>Bytes of which the library would make very much memory, or at which it would work very long.</summary>
public sealed class HostileMessageTests
{
    private const int Length = 1024 * 1024;

    [Theory]
    [InlineData("1200")] // an object with four lists and maps
    [InlineData("12022a00")] // in one another
    [InlineData("0a021001")] // an unknown number, and nothing else
    [InlineData("0a020a00")] // a known one in another form
    [InlineData("0a0478017001")]
    public void Few_bytes_that_make_much_memory_are_refused_before_they_have_made_it(string hex)
    {
        var bytes = Repeated(hex, 4 * Length);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Ledger>(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 32 * Length);
    }

    [Fact]
    public void Short_messages_of_large_objects_are_refused_as_well()
    {
        var bytes = Repeated("3a00", 16_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Ledger>(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, Length);
        Assert.Equal(100, GoogleProtobufSerializer.Read<Ledger>(Repeated("3a00", 200)).Broad.Count);
    }

    [Theory]
    [InlineData("7a8080808010")] // 2^32, which the library takes as nothing
    [InlineData("0affffffff0f")] // below zero
    [InlineData("7b0c")] // a group that another one ends
    [InlineData("0f")]
    public void What_the_library_reads_on_behind_is_refused(string hex)
    {
        Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Ledger>(Convert.FromHexString(hex)));
        Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Ledger>([.. Convert.FromHexString(hex), .. Repeated("1200", 4 * Length)]));
    }

    [Fact]
    public void A_packed_block_with_a_length_below_zero_takes_no_memory()
    {
        var refused = Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Wide>(Convert.FromHexString("0affffffff0f" + "01")));
        Assert.Contains("are not a message", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_of_a_oneof_that_comes_ever_again_is_refused_before_it_is_copied_so_often()
    {
        var ledger = new Ledger();
        for (int i = 0; i < 20_000; i++) ledger.Rows.Add(new Bottom());
        byte[] bytes = [.. new Choice { Ledger = ledger }.ToByteArray(), .. Repeated("0a00", 40_000)];
        Assert.Contains("oneof", Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Choice>(bytes)).Message, StringComparison.Ordinal);
        Assert.Equal(20_000, GoogleProtobufSerializer.Read<Choice>(bytes.AsSpan(0, bytes.Length - 39_990)).Ledger.Rows.Count);
    }

    [Fact]
    public void A_million_numbers_that_nobody_has_chosen_are_read()
    {
        var map = new Ledger();
        for (int i = 0; i < 1_000_000; i++) map.Longs.Add(i, 1);
        Assert.Equal(1_000_000, GoogleProtobufSerializer.Read<Ledger>(map.ToByteArray()).Longs.Count);
    }

    [Fact]
    public void An_error_says_how_much_it_would_have_been()
    {
        var bytes = Repeated("1200", Length);
        var refused = Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Ledger>(bytes));
        Assert.Equal($"The objects of the message would take more than 64 times its {bytes.Length} bytes and 4194304 more.", refused.Message);
    }

    [Fact]
    public void What_is_counted_is_what_objects_take()
    {
        Assert.InRange(TakenBy<Ledger>(Repeated("1200", Length)) / (Length / 2), 0.8 * MessageShape.OfType<Wide>.Shape.Size, 1.2 * MessageShape.OfType<Wide>.Shape.Size);
        Assert.InRange(TakenBy<Ledger>(Repeated("0a00", Length)) / (Length / 2), 0.8 * MessageShape.OfType<Bottom>.Shape.Size, 1.3 * MessageShape.OfType<Bottom>.Shape.Size);
    }

    [Fact]
    public void Honest_messages_are_read_whatever_they_consist_of()
    {
        Assert.Equal(Length / 4, Read("0a020801").Rows.Count); // a number each
        Assert.Equal(Length / 14, Read("120c" + "120161" + "120162" + "120463646566").Wide.Count); // a few columns each
        Assert.Equal(Length / 8, Read("0a06" + "0801" + "7a026162").Rows.Count); // something that a newer peer has added

        var map = new Ledger();
        for (int i = 0; i < 100_000; i++)
        {
            map.Longs.Add(i * 1000L, i);
            map.Ints.Add(-i, new Bottom { Id = i });
            map.Fixed.Add((ulong)i << 32, "x");
        }

        Assert.Equal(map, GoogleProtobufSerializer.Read<Ledger>(map.ToByteArray()));

        static Ledger Read(string hex) => GoogleProtobufSerializer.Read<Ledger>(Repeated(hex, Length));
    }

    [Fact]
    public void Pairs_of_small_numbers_are_read_though_their_hashes_are_few()
    {
        var map = new Ledger();
        for (long i = 0; i < 90_000; i++) map.Longs.Add((i / 300 << 32) | (i % 300), 1);
        Assert.Equal(90_000, GoogleProtobufSerializer.Read<Ledger>(map.ToByteArray()).Longs.Count);
    }

    [Fact]
    public void The_same_keys_in_many_maps_are_no_harm()
    {
        var ledger = new Ledger();
        for (int i = 0; i < 200; i++)
        {
            var wide = new Wide();
            for (int key = 0; key < 300; key++) wide.C.Add(key, key);
            ledger.Wide.Add(wide);
        }

        Assert.Equal(200, GoogleProtobufSerializer.Read<Ledger>(ledger.ToByteArray()).Wide.Count);
    }

    [Theory]
    [InlineData("longs of the same hash")]
    [InlineData("longs of the same hash in pieces")]
    [InlineData("numbers of the same place")]
    [InlineData("unknown fields of the same place")]
    [InlineData("keys of the same hash that come again")]
    [InlineData("keys of a small table that come again")]
    public void Keys_that_were_chosen_to_collide_are_refused_before_they_are_put_anywhere(string what)
    {
        const int Many = 40_000;
        var ledger = new MemoryStream();
        for (long i = 0; i < Many; i++)
        {
            if (what == "longs of the same hash") Entry(ledger, 3, (i << 32) | i);
            else if (what == "longs of the same hash in pieces") Field(ledger, 6, stream => Entry(stream, 3, (i << 32) | i));
            else if (what == "numbers of the same place") Entry(ledger, 4, 2 * 17519 * (i % 17_000)); // zigzag
            else if (what == "keys of a small table that come again") Entry(ledger, 3, i < 919 ? i * 919 : 0);
            else if (what == "keys of the same hash that come again") Entry(ledger, 3, i < 1500 ? (i << 32) | i : 0);
            else Number(ledger, (int)(1 + (i % 17_000)) * 17519, 1);
        }

        var bytes = ledger.ToArray();
        var watch = Stopwatch.StartNew();
        var refused = Assert.Throws<InvalidMessageException>(() => GoogleProtobufSerializer.Read<Ledger>(bytes));
        Assert.Equal("The keys of a map, or the numbers of unknown fields, were chosen to have the same place in a hash table.", refused.Message);
        TestContext.Current.TestOutputHelper?.WriteLine($"{watch.ElapsedMilliseconds} ms for {bytes.Length} bytes");
    }

    private static void Entry(Stream stream, int field, long key) => Field(stream, field, inner => Number(inner, 1, key));

    private static void Field(Stream stream, int field, Action<Stream> write)
    {
        var inner = new MemoryStream();
        write(inner);
        Varint(stream, ((ulong)field << 3) | 2);
        Varint(stream, (ulong)inner.Length);
        inner.WriteTo(stream);
    }

    private static void Number(Stream stream, int field, long value)
    {
        Varint(stream, (ulong)field << 3);
        Varint(stream, (ulong)value);
    }

    private static void Varint(Stream stream, ulong value)
    {
        for (; value >= 0x80; value >>= 7) stream.WriteByte((byte)(value | 0x80));
        stream.WriteByte((byte)value);
    }

    private static byte[] Repeated(string hex, int length)
    {
        var one = Convert.FromHexString(hex);
        var all = new byte[length / one.Length * one.Length];
        for (int i = 0; i < all.Length; i++) all[i] = one[i % one.Length];
        return all;
    }

    // What stays: the library's own reading, without the bound.
    private static double TakenBy<T>(byte[] bytes)
        where T : IMessage, new()
    {
        long before = GC.GetTotalMemory(forceFullCollection: true);
        var message = new T();
        message.MergeFrom(bytes);
        double taken = GC.GetTotalMemory(forceFullCollection: true) - before;
        GC.KeepAlive(message);
        return taken;
    }
}
