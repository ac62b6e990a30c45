using System.Reflection;
using Mux.Generators.Tests.Codecs;
using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Keys that somebody has chosen to fall into one bucket, and keys that fall as they like.</summary>
public sealed class CollisionTests
{
    private const int Many = 100_000;

    private static readonly MessageCodec s_sut = new ContractCodecs<IContainers>().Request("Crowd");

    [Fact]
    public void Numbers_of_the_same_bucket_are_refused()
    {
        // As many as there are in an int of a table of this size; all of them are in bucket 0.
        const int Count = 40_000;
        int buckets = new Dictionary<int, int>().EnsureCapacity(Count);
        Assert.Contains("Crowd, field 2 (Numbers)", Refused(2, Count, i => (int)(i * (long)buckets)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(900, 1931, 124)]
    [InlineData(3_000, 7013, 470)]
    public void Keys_that_come_again_in_a_message_that_comes_again_are_refused_together(int keys, int apart, int again)
    {
        var first = new Wire();
        for (int i = 0; i < keys; i++) first.Message(2, new Wire().Number(1, (long)i * apart));
        var rest = new Wire();
        for (int i = 0; i < again; i++) rest.Message(2, new Wire());
        var crowd = new Wire().Message(14, first);
        while (crowd.Length < 1_000_000) crowd.Message(14, rest);
        var refused = Assert.Throws<InvalidMessageException>(() => s_sut.Decode(crowd.ToArray()));
        Assert.Contains("its keys were chosen to have the same place", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3, "Marks")]
    [InlineData(8, "Frozen")]
    [InlineData(11, "FrozenMarks")]
    public void Numbers_of_the_same_hash_are_refused(int field, string member)
    {
        Assert.Contains($"Crowd, field {field} ({member})", Refused(field, Many, static i => (i << 32) | i), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(11)]
    public void Numbers_that_nobody_has_chosen_are_read_however_many_they_are(int field)
    {
        Assert.Equal(Many, Count(field, Many, static i => i));
        Assert.Equal(Many, Count(field, Many, static i => i * 1000));
        Assert.Equal(Many, Count(field, Many, static i => i * -20_000));
        Assert.Equal(Many, Count(field, Many, static i => (int)(i * 2_654_435_761)));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(8)]
    [InlineData(11)]
    public void Pairs_of_small_numbers_are_read_though_their_hashes_are_few(int field)
    {
        Assert.Equal(90_000, Count(field, 90_000, static i => (i / 300 << 32) | (i % 300)));
    }

    [Theory]
    [InlineData(2, Many)]
    [InlineData(3, Many)]
    [InlineData(8, Many / 4)] // each is paid for as if it were a node
    [InlineData(11, Many / 4)]
    public void Keys_that_come_ever_again_are_no_harm(int field, int count)
    {
        Assert.Equal(3, Count(field, count, static i => i % 3));
    }

    [Fact]
    public void A_table_whose_buckets_are_not_known_takes_ten_thousand_numbers_and_any_number_of_texts()
    {
        Assert.Equal(10_000, Count(9, 10_000, static i => i));
        Assert.Contains("Crowd, field 9 (Shared)", Refused(9, 10_001, static i => i), StringComparison.Ordinal);
        var texts = new Wire();
        for (int i = 0; i < 20_000; i++) texts.Message(18, new Wire().Block(1, System.Text.Encoding.ASCII.GetBytes($"{i}")));
        Assert.Equal(20_000, ((Crowd)s_sut.Decode(texts.ToArray())!).SharedWords!.Count);
    }

    [Fact]
    public void A_sorted_list_takes_keys_in_any_order_and_refuses_to_move_what_it_has_ever_again()
    {
        Assert.Equal(Many, Count(10, Many, static i => Many - i));
        var parts = new Wire();
        for (int i = 0; i < 20_000; i++) parts.Message(14, new Wire().Message(10, new Wire().Number(1, 20_000 - i)));
        var refused = Assert.Throws<InvalidMessageException>(() => s_sut.Decode(parts.ToArray()));
        Assert.Contains("Crowd, field 10 (Sorted)", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_that_come_one_by_one_in_the_same_message_are_looked_at_all_the_same()
    {
        var parts = new Wire();
        for (long i = 0; i < 20_000; i++) parts.Message(14, new Wire().Number(3, (i << 32) | i));
        Assert.Throws<InvalidMessageException>(() => s_sut.Decode(parts.ToArray()));

        var apart = new Wire();
        for (long i = 0; i < 20_000; i++) apart.Number(3, (i << 32) | i).Block(12, []);
        Assert.Throws<InvalidMessageException>(() => s_sut.Decode(apart.ToArray()));
    }

    [Fact]
    public void A_table_of_the_framework_puts_a_hash_into_the_bucket_at_hash_modulo_capacity()
    {
        var table = new Dictionary<int, int>();
        var set = new HashSet<int>();
        foreach (int keys in (int[])[1025, 5000, 100_000])
        {
            int capacity = table.EnsureCapacity(keys);
            Assert.Equal(capacity, set.EnsureCapacity(keys));
            table.Clear();
            set.Clear();
            for (int i = 0; i < 10; i++) Assert.True(table.TryAdd(i * capacity, i) && set.Add(i * capacity));
            Assert.Equal((capacity, 1), Buckets(table));
            Assert.Equal((capacity, 1), Buckets(set));
        }

        static (int, int) Buckets(object table)
        {
            var buckets = (int[])table.GetType().GetField("_buckets", BindingFlags.NonPublic | BindingFlags.Instance)!.GetValue(table)!;
            return (buckets.Length, buckets.Count(static bucket => bucket != 0));
        }
    }

    [Fact]
    public void Tables_of_the_framework_grow_as_they_are_looked_at()
    {
        var table = new Dictionary<long, int>();
        var capacities = new List<uint>();
        for (int i = 0; i < 700_000; i++)
        {
            table.Add(i, 0);
            if (table.Capacity > 128 && (capacities.Count == 0 || capacities[^1] != table.Capacity)) capacities.Add((uint)table.Capacity);
        }

        Assert.Equal(KeyCollisions.Capacities[..capacities.Count].ToArray(), capacities);
    }

    private static string Refused(int field, int count, Func<long, long> key)
    {
        var bytes = Entries(field, count, key);
        return Assert.Throws<InvalidMessageException>(() => s_sut.Decode(bytes)).Message;
    }

    private static int Count(int field, int count, Func<long, long> key)
    {
        var crowd = (Crowd)s_sut.Decode(Entries(field, count, key))!;
        return crowd.Numbers?.Count ?? crowd.Marks?.Count ?? crowd.Frozen?.Count ?? crowd.FrozenMarks?.Count ?? crowd.Shared?.Count ?? crowd.Sorted!.Count;
    }

    private static byte[] Entries(int field, int count, Func<long, long> key)
    {
        var wire = new Wire();
        bool isSet = field is 3 or 11;
        for (long i = 0; i < count; i++)
        {
            if (isSet) wire.Number(field, key(i));
            else wire.Message(field, new Wire().Number(1, field == 2 ? (int)key(i) : key(i)));
        }

        return wire.ToArray();
    }
}
