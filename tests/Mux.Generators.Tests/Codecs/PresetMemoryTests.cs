using Mux.Generators.Tests.Containers;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>What initializers and constructors make beside an object is counted with it, and what a URI makes beside its text.</summary>
public sealed class PresetMemoryTests
{
    private const int Length = 1024 * 1024;

    // Eight times the bytes and 4 MiB are what a message may make; what is counted is a half of what there is at the least, and the list that grows is left twice.
    private const int MaxAllocated = (2 * ((8 * Length) + (4 * Length))) + (24 * Length);

    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    public static TheoryData<string> Rows => ["Initialized", "Expressions", "Constructed", "Chained", "Derived", "Sized", "Nested", "Fields", "Inlined", "Passed"];

    [Theory]
    [MemberData(nameof(Rows))]
    public void Few_bytes_that_make_an_object_with_many_collections_are_refused_before_they_have_made_much(string row)
    {
        var bytes = Wire.Repeated("0a00", Length);
        var codec = s_contracts.Value.Codec(row + "List");
        codec.Decode([0x0a, 0x00]);
        long before = GC.GetAllocatedBytesForCurrentThread();
        var refused = Assert.Throws<InvalidMessageException>(() => codec.Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, MaxAllocated);
        Assert.Contains($"would take more than 8 times its {bytes.Length} bytes", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Rows_with_a_few_empty_lists_and_some_content_are_read_however_many_they_are()
    {
        var row = new Wire().Number(4, 1).Block(5, new byte[30]);
        var bytes = Wire.Repeated(Convert.ToHexString(new Wire().Message(1, row).ToArray()), 4 * Length);
        Assert.NotNull(s_contracts.Value.Codec("ModestList").Decode(bytes));
    }

    [Fact]
    public void A_short_message_makes_what_it_likes()
    {
        foreach (var row in Rows) Assert.NotNull(s_contracts.Value.Codec(row.Data + "List").Decode(Wire.Repeated("0a00", 1000)));
    }

    [Theory]
    [InlineData("xx:éabcd")]
    [InlineData("http://a/%41")]
    public void URIs_that_are_written_in_two_ways_count_as_what_they_take(string text)
    {
        var one = new Wire().Block(1, System.Text.Encoding.UTF8.GetBytes(text));
        var bytes = Wire.Repeated(Convert.ToHexString(one.ToArray()), 4 * Length);
        long before = GC.GetAllocatedBytesForCurrentThread();
        var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Codec("Links").Decode(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 18L * 4 * Length);
        Assert.StartsWith("Sample.Links, field 1 (Value)", refused.Message, StringComparison.Ordinal);
    }

    private static CompiledContracts Compile()
    {
        const string Types = """
            [ProtoContract] public class Initialized
            {
                [ProtoMember(1)] public List<int> A { get; set; } = new List<int>();
                [ProtoMember(2)] public Dictionary<string, int> B { get; set; } = new();
                [ProtoMember(3)] public HashSet<int> C { get; } = new();
                [ProtoMember(4)] public IList<int> D { get; set; } = new List<int>();
                [ProtoMember(5)] public ConcurrentDictionary<int, int> E { get; set; } = new();
                [ProtoMember(6)] public ISet<int> F { get; set; } = new HashSet<int>();
            }
            [ProtoContract] public class Expressions
            {
                [ProtoMember(1)] public List<int> A { get; set; } = [];
                [ProtoMember(2)] public List<int> B { get; set; } = [];
                [ProtoMember(3)] public HashSet<int> C { get; set; } = [];
                [ProtoMember(4)] public Dictionary<int, int> D { get; set; } = [];
                [ProtoMember(5)] public ICollection<int> E { get; set; } = [];
                [ProtoMember(6)] public SortedSet<int> F { get; set; } = [];
            }
            [ProtoContract] public class Constructed
            {
                public Constructed()
                {
                    A = new List<int>();
                    B = new();
                    C = [];
                    D = new Dictionary<string, int>();
                    this.E = new ConcurrentQueue<int>();
                }
                [ProtoMember(1)] public List<int> A { get; set; }
                [ProtoMember(2)] public Dictionary<int, int> B { get; set; }
                [ProtoMember(3)] public HashSet<int> C { get; set; }
                [ProtoMember(4)] public IDictionary<string, int> D { get; set; }
                [ProtoMember(5)] public ConcurrentQueue<int> E { get; set; }
            }
            [ProtoContract] public class Chained
            {
                public Chained() : this(4) { }
                public Chained(int size) => (A, B, C) = (new Dictionary<int, int>(), new ConcurrentDictionary<int, int>(), new HashSet<int>());
                [ProtoMember(1)] public Dictionary<int, int> A { get; set; }
                [ProtoMember(2)] public ConcurrentDictionary<int, int> B { get; set; }
                [ProtoMember(3)] public HashSet<int> C { get; set; }
            }
            public abstract class Origin { protected readonly Dictionary<int, int> _a = new(), _b = new(); protected readonly ConcurrentDictionary<int, int> _c = new(); }
            [ProtoContract] public class Derived : Origin { [ProtoMember(1)] public int A { get; set; } }
            [ProtoContract] public class Sized
            {
                [ProtoMember(1)] public List<long> A { get; set; } = new List<long>(100);
                [ProtoMember(2)] public int[] B { get; set; } = new int[200];
                [ProtoMember(3)] public byte[] C { get; set; } = { 1, 2, 3, 4, 5, 6, 7, 8 };
            }
            [ProtoContract] public class Nested { [ProtoMember(1)] public Initialized A { get; set; } = new Initialized(); }
            [ProtoContract] public class Fields { [ProtoMember(1)] public int A; private readonly object _gate = new(); private readonly List<string> _log = new(), _other = new(); private Dictionary<int, int> _map = new(); private ConcurrentBag<int> _bag = new(); }
            [System.Runtime.CompilerServices.InlineArray(200)] public struct Inline { public long First; }
            [ProtoContract] public class Inlined { [ProtoMember(1)] public int A; public Inline Room; }
            public abstract class Holding(Dictionary<int, int> a, ConcurrentDictionary<int, int> b) { protected readonly Dictionary<int, int> _a = a; protected readonly ConcurrentDictionary<int, int> _b = b; }
            [ProtoContract] public class Passed() : Holding(new Dictionary<int, int>(100), new()) { [ProtoMember(1)] public int A { get; set; } }
            [ProtoContract] public class Modest
            {
                [ProtoMember(1)] public List<int> A { get; set; } = new();
                [ProtoMember(2)] public List<string> B { get; set; } = [];
                [ProtoMember(3)] public IReadOnlyList<string> C { get; set; } = [];
                [ProtoMember(4)] public int D { get; set; }
                [ProtoMember(5)] public string E { get; set; } = string.Empty;
            }
            [ProtoContract] public class Links { [ProtoMember(1)] public List<Uri> Value { get; set; } }

            """;
        string[] rows = [.. Rows.Select(static row => row.Data), "Modest"];
        var lists = string.Concat(rows.Select(static row => $"[ProtoContract] public class {row}List {{ [ProtoMember(1)] public List<{row}> Value {{ get; set; }} }}\n"));
        return new CompiledContracts(Types + lists, [.. rows.Select(static row => row + "List"), "Links"], []);
    }
}
