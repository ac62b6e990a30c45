using Mux.Generators.Tests.Vectors;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Values, items and collections in messages of their own, so that they can be null: the bytes are those of protobuf-net's own tests.</summary>
public sealed class NullTests
{
    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    private static readonly (string Name, string Attributes, string Type, (string Value, string Hex)[] Rows)[] s_members =
    [
        ("Number", "NullWrappedValue", "int?", [("null", ""), ("0", "0a00"), ("1", "0a020801")]),
        ("GroupedNumber", "NullWrappedValue(AsGroup = true)", "int?", [("null", ""), ("0", "0b0c"), ("2", "0b08020c")]),
        ("Text", "NullWrappedValue", "string", [("null", ""), ("\"\"", "0a020a00"), ("\"a\"", "0a030a0161")]),
        ("Bytes", "NullWrappedValue", "byte[]", [("null", ""), ("new byte[0]", "0a020a00"), ("new byte[] { 1 }", "0a030a0101")]),
        ("Enum", "NullWrappedValue", "DayOfWeek?", [("null", ""), ("DayOfWeek.Sunday", "0a020800"), ("DayOfWeek.Friday", "0a020805")]),
        ("Numbers", "NullWrappedValue", "List<int?>", [("null", ""), ("new() { 1, null, 0 }", "0a020801" + "0a00" + "0a020800")]),
        ("PlainNumbers", "NullWrappedValue", "int[]", [("null", ""), ("new[] { 1, 0 }", "0a020801" + "0a020800")]),
        ("Texts", "NullWrappedValue", "string[]", [("new[] { \"a\", null, \"\" }", "0a030a0161" + "0a00" + "0a020a00")]),
        ("Messages", "NullWrappedValue", "List<Leaf>", [("new() { new Leaf { Id = 1 }, null, new Leaf() }", "0a040a020801" + "0a00" + "0a020a00")]),
        ("GroupedMessages", "NullWrappedValue(AsGroup = true)", "List<Leaf>", [("new() { new Leaf { Id = 1 }, null }", "0b0a0208010c" + "0b0c")]),
        ("Structs", "NullWrappedValue", "Queue<Point?>", [("new(new Point?[] { new Point { X = 1 }, null })", "0a040a020801" + "0a00")]),
        ("Set", "NullWrappedValue", "HashSet<int?>", [("new() { 1, null }", "0a020801" + "0a00")]),
        ("Collection", "NullWrappedCollection", "List<Leaf>", [("null", ""), ("new()", "0a00"), ("new() { new Leaf { Id = 1 } }", "0a040a020801")]),
        ("GroupedCollection", "NullWrappedCollection(AsGroup = true)", "List<Leaf>", [("null", ""), ("new()", "0b0c"), ("new() { new Leaf { Id = 1 } }", "0b0a0208010c")]),
        ("Array", "NullWrappedCollection", "int[]", [("null", ""), ("new int[0]", "0a00"), ("new[] { 1, 300 }", "0a05080108ac02")]),
        ("Packed", "NullWrappedCollection", "HashSet<int>", [("null", ""), ("new()", "0a020a00"), ("new() { 1, 300 }", "0a050a0301ac02")]),
        ("FrozenArray", "NullWrappedCollection", "ImmutableArray<int>", [("ImmutableArray<int>.Empty", "0a00"), ("ImmutableArray.Create(1)", "0a020801")]),
        ("Stack", "NullWrappedCollection", "Stack<int>", [("null", ""), ("new()", "0a00"), ("new(new[] { 1, 2 })", "0a0408020801")]),
        ("ReadOnly", "NullWrappedCollection", "IReadOnlyList<string>", [("null", ""), ("new List<string>()", "0a00"), ("new List<string> { \"a\" }", "0a030a0161")]),
        ("Both", "NullWrappedCollection, NullWrappedValue", "List<Leaf>", [("null", ""), ("new()", "0a00"), ("new() { new Leaf { Id = 1 }, null }", "0a08" + "0a040a020801" + "0a00")]),
        ("Map", "NullWrappedCollection", "Dictionary<int, int>", [("null", ""), ("new()", "0a00"), ("new() { [1] = 2 }", "0a060a0408011002")]),
        ("MessageValues", "NullWrappedValue", "Dictionary<int, Leaf>", [("new() { [1] = new Leaf { Id = 2 }, [2] = null }", "0a0808011204" + "0a020802" + "0a020802")]),
        ("NumberValues", "NullWrappedValue", "Dictionary<int, int?>", [("new() { [1] = 2, [2] = null }", "0a06080112020802" + "0a020802")]),
        ("TextValues", "NullWrappedValue", "Dictionary<int, string>", [("new() { [1] = \"a\", [2] = null, [3] = \"\" }", "0a07080112030a0161" + "0a020802" + "0a06080312020a00")]),
        ("GroupedTextValues", "NullWrappedValue(AsGroup = true)", "Dictionary<int, string>", [("new() { [1] = \"a\", [2] = null, [3] = \"\" }", "0a070801130a016114" + "0a020802" + "0a060803130a0014")]),
        ("TextPairs", "NullWrappedValue, ProtoMap(DisableMap = true)", "Dictionary<int, string>", [("new() { [1] = \"a\", [2] = null }", "0a07080112030a0161" + "0a020802")]),
        ("FrozenTextValues", "NullWrappedValue", "ImmutableSortedDictionary<int, string>", [("new Dictionary<int, string> { [1] = \"a\", [2] = null }.ToImmutableSortedDictionary()", "0a07080112030a0161" + "0a020802")]),
        ("BytesValues", "NullWrappedValue", "Dictionary<int, byte[]>", [("new() { [1] = new byte[] { 1 }, [2] = null, [3] = new byte[0] }", "0a07080112030a0101" + "0a020802" + "0a06080312020a00")]),
        ("AddressValues", "NullWrappedValue", "Dictionary<int, Uri>", [("new() { [1] = new Uri(\"a\", UriKind.Relative), [2] = null }", "0a07080112030a0161" + "0a020802")]),
        ("EnumValues", "NullWrappedValue", "Dictionary<int, DayOfWeek?>", [("new() { [1] = DayOfWeek.Friday, [2] = null, [3] = DayOfWeek.Sunday }", "0a06080112020805" + "0a020802" + "0a06080312020800")]),
        ("IdValues", "NullWrappedValue", "Dictionary<int, Guid?>", [("new() { [1] = Guid.Empty, [2] = null }", "0a06080112020a00" + "0a020802")]),
        ("DateValues", "NullWrappedValue", "Dictionary<int, DateTime?>", [("new() { [1] = new DateTime(1970, 1, 2), [2] = null }", "0a08080112040a020802" + "0a020802")]),
        ("DayValues", "NullWrappedValue", "Dictionary<int, DateOnly?>", [("new() { [1] = new DateOnly(1, 1, 2), [2] = null }", "0a06080112020801" + "0a020802")]),
        ("BothTextValues", "NullWrappedCollection, NullWrappedValue", "Dictionary<int, string>", [("null", ""), ("new()", "0a00"), ("new() { [1] = \"a\", [2] = null }", "0a0d" + "0a07080112030a0161" + "0a020802")]),
        ("BytesItems", "NullWrappedValue", "List<byte[]>", [("new() { new byte[] { 1 }, null, new byte[0] }", "0a030a0101" + "0a00" + "0a020a00")]),
        ("BytesArray", "NullWrappedValue", "byte[][]", [("new[] { new byte[] { 1 }, null, new byte[0] }", "0a030a0101" + "0a00" + "0a020a00")]),
        ("Addresses", "NullWrappedValue", "List<Uri>", [("new() { new Uri(\"a\", UriKind.Relative), null }", "0a030a0161" + "0a00")]),
        ("MessageArray", "NullWrappedValue", "Leaf[]", [("new[] { new Leaf { Id = 1 }, null }", "0a040a020801" + "0a00")]),
        ("BothTexts", "NullWrappedCollection, NullWrappedValue", "List<string>", [("null", ""), ("new()", "0a00"), ("new() { \"a\", null, \"\" }", "0a0b" + "0a030a0161" + "0a00" + "0a020a00")]),
    ];

    public static TheoryData<string, int> Rows
    {
        get
        {
            var data = new TheoryData<string, int>();
            foreach (var (name, _, _, rows) in s_members)
            {
                for (int i = 0; i < rows.Length; i++) data.Add(name, i);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Rows))]
    public void What_is_wrapped_is_written_as_protobuf_net_writes_it_and_comes_back(string member, int row)
    {
        var value = s_contracts.Value.Value($"{member}{row}");
        var hex = s_members.Single(candidate => candidate.Name == member).Rows[row].Hex;
        Assert.Equal(hex, s_contracts.Value.Encode(member, value));
        Assert.Null(ObjectComparer.Difference(value, s_contracts.Value.Decode(member, hex)));
    }

    [Theory]
    [InlineData("Number", "0b08010c", "Number2")] // a group where a length is declared
    [InlineData("GroupedNumber", "0a020802", "GroupedNumber2")]
    [InlineData("Collection", "0a00" + "0a020a00" + "0b0a0208070c", "CollectionTwo")] // wrappers that come again are merged
    [InlineData("Number", "0a020801" + "0a00", "Number1Kept")]
    [InlineData("MessageValues", "0a04" + "0801" + "1200", "ValuesNull")] // a wrapper without anything is null for a message
    [InlineData("NumberValues", "0a04" + "0801" + "1200", "NumberValuesZero")] // and zero for a number
    [InlineData("TextValues", "0a02" + "0801", "TextValuesNull")] // a wrapper that is missing in an entry is null
    [InlineData("TextValues", "0a04" + "0801" + "1200", "TextValuesEmpty")] // and one without anything is empty
    [InlineData("GroupedTextValues", "0a04" + "0801" + "1314", "GroupedTextValuesEmpty")]
    [InlineData("BytesValues", "0a04" + "0801" + "1200", "BytesValuesEmpty")]
    [InlineData("AddressValues", "0a04" + "0801" + "1200", "AddressValuesNull")]
    [InlineData("BothTextValues", "0a04" + "0a020801", "BothTextValuesNull")]
    [InlineData("BothTextValues", "0a06" + "0a0408011200", "BothTextValuesEmpty")]
    [InlineData("CollectedTexts", "0a04" + "0a020801", "CollectedTextsEmpty")] // a value without a wrapper of its own is empty where it is missing
    [InlineData("Numbers", "0a04" + "1005" + "0803", "NumbersThree")] // unknown fields in a wrapper
    public void Wrappers_are_read_in_any_form(string member, string hex, string value)
    {
        Assert.Null(ObjectComparer.Difference(s_contracts.Value.Value(value), s_contracts.Value.Decode(member, hex)));
    }

    [Fact]
    public void A_wrapped_collection_without_a_setter_is_filled()
    {
        Assert.Null(ObjectComparer.Difference(s_contracts.Value.Value("FilledOne"), s_contracts.Value.Decode("Filled", "0a020801")));
    }

    [Fact]
    public void What_is_wrong_in_a_wrapper_is_named_with_the_member()
    {
        var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Decode("Number", "0a03" + "0a0161"));
        Assert.Equal("Sample.Number.Value, field 1 (Value), byte 3: it is written as Bytes, which does not fit its type.", refused.Message);
    }

    private static CompiledContracts Compile()
    {
        var types = new System.Text.StringBuilder("""
            [ProtoContract] public struct Point { [ProtoMember(1)] public int X; [ProtoMember(2)] public int Y; }
            [ProtoContract] public class Leaf { [ProtoMember(1)] public int Id { get; set; } [ProtoMember(2)] public string Name { get; set; } }
            [ProtoContract] public class Filled { private readonly List<int> _value = new(); [ProtoMember(1), NullWrappedCollection] public List<int> Value => _value; }
            [ProtoContract] public class CollectedTexts { [ProtoMember(1), NullWrappedCollection] public Dictionary<int, string> Value { get; set; } }

            """);
        var values = new List<(string, string)>
        {
            ("CollectionTwo", "new Collection { Value = new() { new Leaf(), new Leaf { Id = 7 } } }"),
            ("Number1Kept", "new Number { Value = 1 }"),
            ("ValuesNull", "new MessageValues { Value = new() { [1] = null } }"),
            ("NumberValuesZero", "new NumberValues { Value = new() { [1] = 0 } }"),
            ("TextValuesNull", "new TextValues { Value = new() { [1] = null } }"),
            ("TextValuesEmpty", "new TextValues { Value = new() { [1] = \"\" } }"),
            ("GroupedTextValuesEmpty", "new GroupedTextValues { Value = new() { [1] = \"\" } }"),
            ("BytesValuesEmpty", "new BytesValues { Value = new() { [1] = new byte[0] } }"),
            ("AddressValuesNull", "new AddressValues { Value = new() { [1] = null } }"),
            ("BothTextValuesNull", "new BothTextValues { Value = new() { [1] = null } }"),
            ("BothTextValuesEmpty", "new BothTextValues { Value = new() { [1] = \"\" } }"),
            ("CollectedTextsEmpty", "new CollectedTexts { Value = new() { [1] = \"\" } }"),
            ("NumbersThree", "new Numbers { Value = new() { 3 } }"),
            ("FilledOne", "((Func<Filled>)(() => { var filled = new Filled(); filled.Value.Add(1); return filled; }))()"),
        };
        foreach (var (name, attributes, type, rows) in s_members)
        {
            var options = name == "Packed" ? "1, IsPacked = true" : "1";
            types.AppendLine($"[ProtoContract] public class {name} {{ [ProtoMember({options}), {attributes}] public {type} Value {{ get; set; }} }}");
            for (int i = 0; i < rows.Length; i++) values.Add(($"{name}{i}", $"new {name} {{ Value = {rows[i].Value} }}"));
        }

        return new CompiledContracts(types.ToString(), [.. s_members.Select(static member => member.Name), "Filled", "CollectedTexts"], values);
    }
}
