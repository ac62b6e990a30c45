using Mux.Generators.Tests.Vectors;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Maps of every type that protobuf-net takes: an entry is a message with the key as field 1 and the value as field 2.</summary>
public sealed class MapTests
{
    // Each with two entries in ascending order of their keys.
    private static readonly (string Name, string Key, string Value, string Entries, string Hex)[] s_entries =
    [
        ("Numbers", "int", "int", "[1] = 300, [2] = 0", "0a05080110ac02" + "0a020802"),
        ("Zero", "int", "string", "[0] = \"\", [5] = \"a\"", "0a021200" + "0a0508051201" + "61"),
        ("Texts", "string", "string", "[\"\"] = \"b\", [\"a\"] = null", "0a050a00120162" + "0a030a0161"),
        ("Messages", "string", "Leaf", "[\"a\"] = new Leaf { Id = 1 }, [\"b\"] = null", "0a070a016112020801" + "0a030a0162"),
        ("Enums", "DayOfWeek", "DayOfWeek", "[DayOfWeek.Sunday] = DayOfWeek.Sunday, [DayOfWeek.Monday] = DayOfWeek.Friday", "0a0408001000" + "0a0408011005"),
        ("Bytes", "long", "byte[]", "[-1] = new byte[] { 7 }, [3] = null", "0a0e08ffffffffffffffffff01120107" + "0a020803"),
        ("Structs", "byte", "Point", "[0] = new Point { X = 1 }, [255] = new Point()", "0a0412020801" + "0a0508ff011200"),
        ("Nullables", "ulong", "int?", "[1] = 5, [2] = null", "0a0408011005" + "0a020802"),
        ("Lists", "int", "List<int>", "[1] = new List<int> { 7, 8 }, [2] = new List<int> { 9 }, [3] = new List<int>(), [4] = null", "0a0608011202" + "0708" + "0a0408021009" + "0a0408031200" + "0a020804"),
        ("Sets", "string", "HashSet<string>", "[\"a\"] = new HashSet<string> { \"x\", \"y\" }", "0a090a0161120178120179"),
        ("Arrays", "int", "Leaf[]", "[1] = new[] { new Leaf(), new Leaf { Id = 2 } }", "0a080801120012020802"),
        ("Maps", "int", "Dictionary<int, int>", "[1] = new Dictionary<int, int> { [2] = 3 }", "0a080801120408021003"),
        ("Chars", "char", "bool", "['a'] = true, ['b'] = false", "0a0408611001" + "0a020862"),
    ];

    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    public static TheoryData<MapKind, string> Kinds
    {
        get
        {
            var data = new TheoryData<MapKind, string>();
            foreach (var kind in MapKind.All)
            {
                foreach (var (name, _, _, _, _) in s_entries.Where(entries => Has(kind, entries.Name))) data.Add(kind, name);
            }

            return data;
        }
    }

    public static TheoryData<MapKind> Every => [.. MapKind.All];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_map_is_written_as_entries_that_leave_out_null_and_zero_and_comes_back(MapKind kind, string entries)
    {
        var value = s_contracts.Value.Value($"{kind.Name}{entries}Full");
        Assert.Equal(s_entries.Single(row => row.Name == entries).Hex, InOrder(s_contracts.Value.Encode($"{kind.Name}{entries}", value)));
        var decoded = s_contracts.Value.Decode($"{kind.Name}{entries}", s_contracts.Value.Encode($"{kind.Name}{entries}", value));
        Assert.Equal(s_contracts.Value.Value($"{kind.Name}{entries}Type"), Value(decoded)!.GetType());

        // What was null is empty now, but for numbers.
        var written = s_contracts.Value.Encode($"{kind.Name}{entries}", decoded);
        if (entries is "Numbers" or "Zero" or "Enums" or "Structs" or "Nullables" or "Sets" or "Arrays" or "Maps" or "Chars") Assert.Null(ObjectComparer.Difference(value, decoded));
        else Assert.Null(ObjectComparer.Difference(decoded, s_contracts.Value.Decode($"{kind.Name}{entries}", written)));
    }

    [Fact]
    public void A_value_that_is_missing_is_an_empty_one()
    {
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<string, string> { [\"a\"] = \"\" }"), Read("DictionaryTexts", "0a030a0161")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<string, Leaf> { [\"\"] = new Leaf() }"), Read("DictionaryMessages", "0a00")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<long, byte[]> { [0] = new byte[0] }"), Read("DictionaryBytes", "0a00")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, List<int>> { [4] = new List<int>() }"), Read("DictionaryLists", "0a020804")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<ulong, int?> { [4] = null }"), Read("DictionaryNullables", "0a020804")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, Made> { [4] = new Made(0) }"), Read("MadeMap", "0a020804")));
    }

    [Fact]
    public void An_entry_may_have_its_fields_in_any_order_and_several_times_and_others()
    {
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [2] = 7 }"), Read("DictionaryNumbers", "0a0a" + "1005" + "0801" + "1801" + "0802" + "1007")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<string, Leaf> { [\"\"] = new Leaf { Id = 1, Name = \"b\" } }"), Read("DictionaryMessages", "0a09" + "12020801" + "1203120162")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<long, byte[]> { [0] = new byte[] { 1, 2 } }"), Read("DictionaryBytes", "0a06" + "120101" + "120102")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 2 }"), Read("DictionaryNumbers", "0b" + "0801" + "1002" + "0c"))); // a group
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void The_last_entry_of_a_key_counts(MapKind kind)
    {
        const string Twice = "0a0408011002" + "1001" + "0a0408011003" + "0a0408011004";
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 4 }"), Read($"{kind.Name}Numbers", Twice)));
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void An_entry_whose_key_is_there_is_refused_where_entries_are_pairs(MapKind kind)
    {
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 2, [3] = 4 }"), Read($"{kind.Name}Pairs", "0a0408011002" + "0a0408031004")));
        var refused = Assert.Throws<InvalidMessageException>(() => Read($"{kind.Name}Pairs", "0a0408011002" + "1001" + "0a0408011002"));
        Assert.Contains($"Sample.{kind.Name}Pairs, field 1 (Value), byte 14: two entries have the same key", refused.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidMessageException>(() => Read($"{kind.Name}PairsPreset", "0a0408011002"));
    }

    [Theory]
    [InlineData("Doubles", "0a0909000000000000f03f" + "0a0909000000000000f03f")] // protobuf has no map of these keys,
    [InlineData("DictionaryChars", "0a020861" + "0a020861")]
    [InlineData("DictionaryLists", "0a020801" + "0a020801")] // nor of these values
    [InlineData("Guids200", "0a00" + "0a00")] // nor of Guids, unless they are text
    [InlineData("GuidsFixed", "0a00" + "0a00")]
    public void An_entry_whose_key_is_there_is_refused_where_protobuf_has_no_such_map(string message, string hex)
    {
        Assert.Throws<InvalidMessageException>(() => Read(message, hex));
        Read(message, hex[..(hex.Length / 2)]);
    }

    [Fact]
    public void The_last_entry_of_a_key_counts_if_it_is_a_Guid_that_is_text()
    {
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<Guid, int> { [Guid.Empty] = 2 }"), Read("Guids", "0a021001" + "1802" + "0a021002")));
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void A_map_that_an_initializer_has_filled_grows_and_one_that_is_overwritten_does_not(MapKind kind)
    {
        const string Entries = "0a0408011002" + "1001" + "0a0408031004";
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 2, [3] = 4, [9] = 9 }"), Read($"{kind.Name}Preset", Entries)));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [3] = 4 }"), Read($"{kind.Name}Over", Entries)));
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void A_map_without_a_setter_is_filled(MapKind kind)
    {
        if (kind.IsImmutable) return;
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 2, [9] = 9 }"), Read($"{kind.Name}Fixed", "0a0408011002")));
    }

    [Fact]
    public void A_map_that_nothing_can_be_added_to_is_replaced_by_one_with_its_entries()
    {
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 2, [9] = 9 }"), Read("StiffMap", "0a0408011002")));
        Assert.Null(ObjectComparer.Difference(Made("new Dictionary<int, int> { [1] = 2, [9] = 9 }"), Read("StiffReadOnly", "0a0408011002")));
        var refused = Assert.Throws<InvalidOperationException>(() => Read("StiffFixed", "0a0408011002"));
        Assert.Contains("Sample.StiffFixed.Value has no setter and holds a collection that nothing can be added to", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Keys_and_values_have_formats_of_their_own()
    {
        var value = s_contracts.Value.Value("FormatsFull");
        Assert.Equal("0b" + "0801" + "1505000000" + "0c" + "1207" + "0d02000000" + "1003" + "1a06" + "0801" + "13080114", s_contracts.Value.Encode("Formats", value));
        Assert.Null(ObjectComparer.Difference(value, s_contracts.Value.Decode("Formats", s_contracts.Value.Encode("Formats", value))));
    }

    [Theory]
    [InlineData("DictionaryNumbers", "0805", "Sample.DictionaryNumbers, field 1 (Value), byte 1: it is written as Varint, which does not fit its type.")]
    [InlineData("DictionaryNumbers", "0a03" + "0a0161", "Sample.DictionaryNumbers.Value, field 1 (Key), byte 3: it is written as Bytes, which does not fit its type.")]
    [InlineData("DictionaryNumbers", "0a05" + "0801", "Sample.DictionaryNumbers, field 1 (Value), byte 2: its length says 5 bytes and 2 are left.")]
    [InlineData("DictionaryTexts", "0a03" + "120561", "Sample.DictionaryTexts.Value, field 2 (Value), byte 4: its length says 5 bytes and 1 are left.")]
    [InlineData("DictionaryStructs", "0a03" + "08ac02", "Sample.DictionaryStructs.Value, field 1 (Key), byte 5: its value is out of the range of byte.")]
    public void What_is_wrong_in_an_entry_is_named_with_the_member(string message, string hex, string error)
    {
        Assert.Equal(error, Assert.Throws<InvalidMessageException>(() => Read(message, hex)).Message);
    }

    private static bool Has(MapKind kind, string entries) => entries is "Numbers" or "Messages" || kind.Name is "Dictionary" or "SortedList" or "IDictionary" or "ImmutableSortedDictionary";

    private static object? Read(string message, string hex) => Value(s_contracts.Value.Decode(message, hex));

    private static object Made(string value) => s_contracts.Value.Value("Made" + s_made.IndexOf(value));

    private static object? Value(object? message) => message!.GetType().GetProperty("Value")!.GetValue(message);

    // Entries of hash tables come in any order, and all of these begin with the tag 0a and a length.
    private static string InOrder(string hex)
    {
        var entries = new List<string>();
        for (var rest = hex; rest.Length > 0; rest = rest[entries[^1].Length..]) entries.Add(rest[..(4 + 2 * Convert.ToInt32(rest[2..4], 16))]);
        return string.Concat(entries.OrderBy(KeyOf, StringComparer.Ordinal));

        // No key is the least, and a negative one less than others.
        static string KeyOf(string entry) => entry.StartsWith("0a0e08ff", StringComparison.Ordinal) ? "0" : entry.Length > 4 && entry[4..6] == "12" ? string.Empty : entry[4..];
    }

    private static readonly List<string> s_made =
    [
        "new Dictionary<string, string> { [\"a\"] = \"\" }", "new Dictionary<string, Leaf> { [\"\"] = new Leaf() }", "new Dictionary<long, byte[]> { [0] = new byte[0] }",
        "new Dictionary<int, List<int>> { [4] = new List<int>() }", "new Dictionary<ulong, int?> { [4] = null }", "new Dictionary<int, Made> { [4] = new Made(0) }",
        "new Dictionary<int, int> { [2] = 7 }", "new Dictionary<string, Leaf> { [\"\"] = new Leaf { Id = 1, Name = \"b\" } }", "new Dictionary<long, byte[]> { [0] = new byte[] { 1, 2 } }",
        "new Dictionary<int, int> { [1] = 2 }", "new Dictionary<int, int> { [1] = 4 }", "new Dictionary<int, int> { [1] = 2, [3] = 4 }", "new Dictionary<int, int> { [1] = 2, [3] = 4, [9] = 9 }",
        "new Dictionary<int, int> { [3] = 4 }", "new Dictionary<int, int> { [1] = 2, [9] = 9 }", "new Dictionary<Guid, int> { [Guid.Empty] = 2 }",
    ];

    private static CompiledContracts Compile()
    {
        var types = new System.Text.StringBuilder(MapKind.Classes);
        types.AppendLine("""
            [ProtoContract] public struct Point { [ProtoMember(1)] public int X; [ProtoMember(2)] public int Y; }
            [ProtoContract] public class Leaf { [ProtoMember(1)] public int Id { get; set; } [ProtoMember(2)] public string Name { get; set; } }
            [ProtoContract] public class Made { public Made(int id) { Id = id; } [ProtoMember(1)] public int Id { get; } }
            [ProtoContract] public class MadeMap { [ProtoMember(1)] public Dictionary<int, Made> Value { get; set; } }
            [ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)] public class Guids { [ProtoMember(1)] public Dictionary<Guid, int> Value { get; set; } }
            [ProtoContract] public class Guids200 { [ProtoMember(1)] public Dictionary<Guid, int> Value { get; set; } }
            [ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)] public class GuidsFixed { [ProtoMember(1), ProtoMap(KeyFormat = DataFormat.FixedSize)] public Dictionary<Guid, int> Value { get; set; } }
            [ProtoContract] public class Doubles { [ProtoMember(1)] public Dictionary<double, int> Value { get; set; } }
            [ProtoContract] public class StiffMap { [ProtoMember(1)] public IDictionary<int, int> Value { get; set; } = new ReadOnlyDictionary<int, int>(new Dictionary<int, int> { [9] = 9 }); }
            [ProtoContract] public class StiffReadOnly { [ProtoMember(1)] public IReadOnlyDictionary<int, int> Value { get; set; } = new Dictionary<int, int> { [9] = 9 }.ToImmutableDictionary(); }
            [ProtoContract] public class StiffFixed { private static readonly ImmutableDictionary<int, int> _value = ImmutableDictionary<int, int>.Empty; [ProtoMember(1)] public IReadOnlyDictionary<int, int> Value => _value; }
            [ProtoContract] public class Formats
            {
                [ProtoMember(1, DataFormat = DataFormat.Group), ProtoMap(KeyFormat = DataFormat.ZigZag, ValueFormat = DataFormat.FixedSize)] public Dictionary<int, int> Signed { get; set; }
                [ProtoMember(2), ProtoMap(KeyFormat = DataFormat.FixedSize, ValueFormat = DataFormat.ZigZag)] public Dictionary<uint, long> Fixed { get; set; }
                [ProtoMember(3), ProtoMap(ValueFormat = DataFormat.Group)] public Dictionary<int, Leaf> Groups { get; set; }
            }
            """);
        var messages = new List<string> { "MadeMap", "Doubles", "Guids", "Guids200", "GuidsFixed", "StiffMap", "StiffReadOnly", "StiffFixed", "Formats" };
        var values = new List<(string, string)>
        {
            ("FormatsFull", "new Formats { Signed = new() { [-1] = 5 }, Fixed = new() { [2] = -2 }, Groups = new() { [1] = new Leaf { Id = 1 } } }"),
        };
        for (int i = 0; i < s_made.Count; i++) values.Add(($"Made{i}", s_made[i]));

        foreach (var kind in MapKind.All)
        {
            foreach (var (entries, key, value, full, _) in s_entries.Where(row => Has(kind, row.Name)))
            {
                Declare(kind.Name + entries, kind.TypeOf(key, value), "1", string.Empty, "{ get; set; }");
                values.Add(($"{kind.Name}{entries}Full", $"new {kind.Name}{entries} {{ Value = {kind.Value(key, value, full)} }}"));
                values.Add(($"{kind.Name}{entries}Type", $"typeof({kind.MadeOf(key, value)})"));
            }

            var type = kind.TypeOf("int", "int");
            Declare(kind.Name + "Pairs", type, "1", ", ProtoMap(DisableMap = true)", "{ get; set; }");
            Declare(kind.Name + "PairsPreset", type, "1", ", ProtoMap(DisableMap = true)", $"{{ get; set; }} = {kind.Value("int", "int", "[1] = 9")};");
            Declare(kind.Name + "Preset", type, "1", string.Empty, $"{{ get; set; }} = {kind.Value("int", "int", "[3] = 3, [9] = 9")};");
            Declare(kind.Name + "Over", type, "1, OverwriteList = true", string.Empty, $"{{ get; set; }} = {kind.Value("int", "int", "[9] = 9")};");
            if (kind.IsImmutable) continue;
            types.AppendLine($"[ProtoContract] public class {kind.Name}Fixed {{ private readonly {type} _value = {kind.Value("int", "int", "[9] = 9")}; [ProtoMember(1)] public {type} Value => _value; }}");
            messages.Add(kind.Name + "Fixed");
        }

        return new CompiledContracts(types.ToString(), messages, values);

        void Declare(string message, string type, string number, string attributes, string accessors)
        {
            types.AppendLine($"[ProtoContract] public class {message} {{ [ProtoMember({number}){attributes}] public {type} Value {accessors} }}");
            messages.Add(message);
        }
    }
}
