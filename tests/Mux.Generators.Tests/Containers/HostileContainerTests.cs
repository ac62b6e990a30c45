using Mux.Generators.Tests.Codecs;
using Mux.Generators.Tests.Messages;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Collections and maps in bytes that nobody wrote, on a small stack.</summary>
public sealed class HostileContainerTests
{
    private const int SmallStack = 256 * 1024;

    private static readonly MessageCodec s_crowd = new ContractCodecs<IContainers>().Request("Crowd");
    private static readonly MessageCodec s_branch = new ContractCodecs<IContainers>().Request("Branch");

    [Fact]
    public void A_message_cut_anywhere_is_read_or_refused()
    {
        var bytes = s_crowd.Encode(NewCrowd(new Random(1), depth: 2));
        for (int length = 0; length <= bytes.Length; length++) ReadOrRefuse(s_crowd, bytes[..length], $"cut at {length}");
    }

    [Fact]
    public void Changed_bytes_are_read_or_refused_and_what_was_read_can_be_written()
    {
        int seed = Environment.TickCount;
        var random = new Random(seed);
        for (int round = 0; round < 3000; round++)
        {
            var bytes = s_crowd.Encode(NewCrowd(random, depth: 1));
            for (int change = random.Next(1, 6); change > 0; change--) bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            if (ReadOrRefuse(s_crowd, bytes, $"seed {seed}, round {round}") is not { } read) continue;
            var written = s_crowd.Encode(read);
            Assert.Equal(s_crowd.Encode(s_crowd.Decode(written)).Length, written.Length);
        }
    }

    [Theory]
    [InlineData("12ffffffff0f", "Numbers")] // an entry of four gigabytes
    [InlineData("1affffffff0f", "Marks")]
    [InlineData("22ffffffff0f", "Chain")]
    [InlineData("32ffffff7f", "Packed")]
    [InlineData("6aff80808010", "Words")]
    public void A_length_that_is_not_there_allocates_nothing(string hex, string member)
    {
        var bytes = Convert.FromHexString(hex);
        Assert.Throws<InvalidMessageException>(() => s_crowd.Decode(bytes));
        long before = GC.GetAllocatedBytesForCurrentThread();
        var refused = Assert.Throws<InvalidMessageException>(() => s_crowd.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 16 * 1024);
        Assert.Contains(member, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(31, true)]
    [InlineData(32, false)]
    [InlineData(10_000, false)]
    public void Maps_in_maps_are_as_deep_as_messages_may_be(int maps, bool isRead)
    {
        var wire = new Wire();
        for (int i = 0; i < maps; i++) wire = new Wire().Message(1, new Wire().Number(1, 1).Message(2, wire));
        OnSmallStack(() => Check(s_branch, wire.ToArray(), isRead));
        var twigs = new Wire();
        for (int i = 0; i < maps; i++) twigs = new Wire().Message(2, new Wire().Message(1, twigs));
        OnSmallStack(() => Check(s_branch, twigs.ToArray(), isRead));
    }

    [Fact]
    public void A_circle_through_a_map_is_refused_when_it_is_written()
    {
        var branch = new Branch { Children = [] };
        branch.Children[1] = branch;
        OnSmallStack(() => Assert.Throws<InvalidMessageException>(() => s_branch.Encode(branch)));
    }

    private static void Check(MessageCodec codec, byte[] bytes, bool isRead)
    {
        if (isRead) Assert.Equal(bytes, codec.Encode(codec.Decode(bytes)));
        else Assert.Contains("deep", Assert.Throws<InvalidMessageException>(() => codec.Decode(bytes)).Message, StringComparison.Ordinal);
    }

    private static object? ReadOrRefuse(MessageCodec codec, byte[] bytes, string hint)
    {
        try
        {
            return codec.Decode(bytes);
        }
        catch (InvalidMessageException)
        {
            return null;
        }
        catch (Exception exception)
        {
            Assert.Fail($"{hint}: {Convert.ToHexString(bytes)}: {exception}");
            return null;
        }
    }

    private static void OnSmallStack(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(() => failure = Record.Exception(action), SmallStack);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }

    private static Crowd NewCrowd(Random random, int depth)
    {
        int[] numbers = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(-3, 300)).Distinct()];
        return new Crowd
        {
            Rows = [new Wide { A = "a" }, new Wide { B = new Columns { A = 1, E = 0 } }],
            Numbers = numbers.ToDictionary(static i => i),
            Marks = [.. numbers],
            Chain = new LinkedList<int>(numbers),
            Map = new Dictionary<int, Wide> { [0] = new Wide(), [1] = new Wide { A = "b" } },
            Packed = [1, -1],
            Array = [new Wide()],
            Frozen = System.Collections.Immutable.ImmutableDictionary<long, int>.Empty.Add(1, 2),
            Shared = new System.Collections.Concurrent.ConcurrentDictionary<int, int>(numbers.ToDictionary(static i => i)),
            Sorted = new SortedList<int, int>(numbers.ToDictionary(static i => i)),
            FrozenMarks = [1, 2],
            Texts = ["a", string.Empty],
            Words = new Dictionary<string, int> { ["a"] = 1, [string.Empty] = 0 },
            Inner = depth > 0 ? NewCrowd(random, depth - 1) : null,
            PackedList = [1, 300],
            Spots = [new Spot { X = 1 }, default],
            Queue = new Queue<Dot>([new Dot { Id = 1 }]),
            Wrapped = [new Wide(), null],
            Boxes = [new Boxes { List = [1], Set = [2] }],
        };
    }
}
