using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Keys and items that are null once they are read: an empty Uri, and what a conversion makes of a surrogate.</summary>
public sealed class NullKeyTests
{
    private const string Missing = "0a00";

    private static readonly string[] s_maps =
    [
        "Dictionary<Uri, int>", "IDictionary<Uri, int>", "IReadOnlyDictionary<Uri, int>", "ConcurrentDictionary<Uri, int>", "ImmutableDictionary<Uri, int>", "IImmutableDictionary<Uri, int>",
        "Dictionary<Note, int>", "SortedDictionary<Note, int>", "SortedList<Note, int>", "ImmutableSortedDictionary<Note, int>", "Dictionary<Mark, int>", "Own",
    ];

    private static readonly string[] s_sets =
        ["HashSet<Note>", "SortedSet<Note>", "ISet<Note>", "ImmutableHashSet<Note>", "ImmutableSortedSet<Note>", "IImmutableSet<Note>", "List<Note>", "Queue<Note>", "HashSet<Mark>", "ConcurrentBag<Mark>"];

    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    public static TheoryData<int> Maps => [.. Enumerable.Range(0, s_maps.Length)];

    public static TheoryData<int> Sets => [.. Enumerable.Range(0, s_sets.Length)];

    [Theory]
    [MemberData(nameof(Maps))]
    public void A_key_that_reads_as_null_is_refused_with_its_field(int map)
    {
        var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Decode($"Map{map}", Missing));
        Assert.Equal($"Sample.Map{map}, field 1 (Value), byte 2: the key of an entry is null, which no map can hold.", refused.Message);
    }

    [Theory]
    [MemberData(nameof(Maps))]
    public void A_key_that_reads_as_null_is_refused_behind_others_as_well(int map)
    {
        var others = string.Concat(Enumerable.Range(0, 3).Select(_ => "0a07" + "0a03" + (s_maps[map].Contains("Mark", StringComparison.Ordinal) ? "6f6e65" : s_maps[map].Contains("Uri", StringComparison.Ordinal) ? "612f62" : "0a0161") + "1001"));
        Assert.Contains("key of an entry is null", Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Decode($"Map{map}", others + Missing)).Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Sets))]
    public void An_item_that_reads_as_null_is_read_as_protobuf_net_reads_it(int set)
    {
        Assert.NotNull(s_contracts.Value.Decode($"Set{set}", Missing + Missing));
    }

    private static CompiledContracts Compile()
    {
        var types = new System.Text.StringBuilder("""
            [ProtoContract(Surrogate = typeof(NoteText))] public class Note : IComparable<Note>
            {
                public string Text;
                public int CompareTo(Note other) => string.CompareOrdinal(Text, other?.Text);
            }
            [ProtoContract] public class NoteText
            {
                [ProtoMember(1)] public string Text { get; set; }
                public static implicit operator Note(NoteText value) => value.Text == null ? null : new Note { Text = value.Text };
                public static implicit operator NoteText(Note value) => value == null ? null : new NoteText { Text = value.Text };
            }
            [ProtoContract(Surrogate = typeof(string))] public class Mark
            {
                public string Text;
                public static explicit operator Mark(string value) => value.Length == 0 ? null : new Mark { Text = value };
                public static explicit operator string(Mark value) => value?.Text;
            }
            public class Own : Dictionary<Mark, int> { }

            """);
        for (int i = 0; i < s_maps.Length; i++) types.AppendLine($"[ProtoContract] public class Map{i} {{ [ProtoMember(1)] public {s_maps[i]} Value {{ get; set; }} }}");
        for (int i = 0; i < s_sets.Length; i++) types.AppendLine($"[ProtoContract] public class Set{i} {{ [ProtoMember(1)] public {s_sets[i]} Value {{ get; set; }} }}");
        return new CompiledContracts(types.ToString(), [.. s_maps.Select(static (_, i) => $"Map{i}"), .. s_sets.Select(static (_, i) => $"Set{i}")], []);
    }
}
