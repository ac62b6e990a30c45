using Mux.Generators.Tests.Vectors;
using Mux.Serialization;

namespace Mux.Generators.Tests.Containers;

/// <summary>Collections of every type that protobuf-net takes: all have the bytes of a list, and differ in what they are in C# only.</summary>
public sealed class CollectionTests
{
    private static readonly Lazy<CompiledContracts> s_contracts = new(Compile);

    // The C# type of the items, two of them in ascending order, and a third.
    private static readonly (string Name, string Type, string First, string Last, string Option)[] s_items =
    [
        ("Number", "int", "1, 300", "7", string.Empty),
        ("Fixed", "long", "1, 300", "7", ", DataFormat = DataFormat.FixedSize"),
        ("Text", "string", "\"a\", \"b\"", "\"\"", string.Empty),
        ("Enum", "DayOfWeek", "DayOfWeek.Sunday, DayOfWeek.Friday", "DayOfWeek.Monday", string.Empty),
        ("Bytes", "byte[]", "new byte[] { 1, 2 }, new byte[0]", "new byte[] { 3 }", string.Empty),
        ("Struct", "Point", "new Point { X = 1 }, new Point { Y = 2 }", "new Point()", string.Empty),
        ("Message", "Leaf", "new Leaf { Id = 1 }, new Leaf { Name = \"b\" }", "new Leaf()", string.Empty),
        ("Group", "Leaf", "new Leaf { Id = 1 }, new Leaf { Name = \"b\" }", "new Leaf()", ", DataFormat = DataFormat.Group"),
        ("Nullable", "int?", "0, 300", "7", string.Empty),
        ("NullableStruct", "Point?", "new Point { X = 1 }, new Point { Y = 2 }", "new Point()", string.Empty),
    ];

    public static TheoryData<CollectionKind, string> Kinds
    {
        get
        {
            var data = new TheoryData<CollectionKind, string>();
            foreach (var kind in CollectionKind.All)
            {
                foreach (var (name, _, _, _, _) in s_items.Where(item => Has(kind, item.Name))) data.Add(kind, name);
            }

            return data;
        }
    }

    public static TheoryData<CollectionKind> Ordered => [.. CollectionKind.All.Where(static kind => kind.Form is not (CollectionForm.Bag or CollectionForm.Sorted or CollectionForm.Hashed))];

    public static TheoryData<CollectionKind> Every => [.. CollectionKind.All];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Every_collection_has_the_bytes_of_a_list_and_comes_back(CollectionKind kind, string item)
    {
        var value = s_contracts.Value.Value($"{kind.Name}{item}Full");
        var bytes = s_contracts.Value.Encode($"{kind.Name}{item}", value);
        Assert.Equal(s_contracts.Value.Encode($"List{item}", s_contracts.Value.Value($"List{item}Full")), bytes);

        var decoded = s_contracts.Value.Decode($"{kind.Name}{item}", bytes);
        Assert.Equal(s_contracts.Value.Value($"{kind.Name}{item}Type"), Value(decoded)!.GetType());
        AssertSame(kind, Value(value), Value(decoded));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_collection_that_an_initializer_has_filled_grows(CollectionKind kind, string item)
    {
        if (item is not ("Number" or "Message")) return;
        var bytes = s_contracts.Value.Encode($"List{item}", s_contracts.Value.Value($"List{item}Full"));
        AssertSame(kind, Value(s_contracts.Value.Value($"{kind.Name}{item}Grown")), Value(s_contracts.Value.Decode($"{kind.Name}{item}Preset", bytes)));
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void A_collection_that_is_overwritten_forgets_what_an_initializer_and_earlier_parts_put_there(CollectionKind kind)
    {
        const string Parts = "0801" + "08ac02" + "1001" + "0807" + "0808"; // 1, 300, another field, 7, 8
        AssertSame(kind, Value(s_contracts.Value.Value($"{kind.Name}NumberLate")), Value(s_contracts.Value.Decode($"{kind.Name}NumberOver", Parts)));
        Assert.Empty(Items(Value(s_contracts.Value.Decode($"{kind.Name}NumberOver", "0801" + "1001" + "0a00")))); // an empty block
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void Null_and_empty_have_no_bytes_and_come_back_as_null(CollectionKind kind)
    {
        Assert.Equal(string.Empty, s_contracts.Value.Encode($"{kind.Name}Number", s_contracts.Value.Value($"{kind.Name}NumberNull")));
        Assert.Equal(string.Empty, s_contracts.Value.Encode($"{kind.Name}Number", s_contracts.Value.Value($"{kind.Name}NumberEmpty")));
        var decoded = Value(s_contracts.Value.Decode($"{kind.Name}Number", string.Empty));
        if (kind.Form == CollectionForm.Struct) Assert.True((bool)decoded!.GetType().GetProperty("IsDefault")!.GetValue(decoded)!);
        else Assert.Null(decoded);
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void A_packed_collection_is_one_block_unless_protobuf_net_cannot_count_it(CollectionKind kind)
    {
        bool isUncounted = kind.Form is CollectionForm.Uncounted or CollectionForm.ImmutableStack || kind.Name == "IEnumerable";
        Assert.Equal(isUncounted ? "080108ac02" : "0a0301ac02", Packed("Full"));
        Assert.Equal("0807", Packed("One"));
        Assert.Equal(kind.Name == "IEnumerable" ? string.Empty : "0a00", Packed("Empty"));

        string Packed(string value) => s_contracts.Value.Encode($"{kind.Name}NumberPacked", s_contracts.Value.Value($"{kind.Name}NumberPacked{value}"));
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void Blocks_and_single_items_of_any_wire_type_are_joined(CollectionKind kind)
    {
        // A block, single numbers as varint and as fixed32, an empty block, with other fields between.
        const string Mixed = "0a0301ac02" + "0805" + "0d09000000" + "1001" + "0a00";
        AssertSame(kind, Value(s_contracts.Value.Value($"{kind.Name}NumberMixed")), Value(s_contracts.Value.Decode($"{kind.Name}Number", Mixed)));
        var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Decode($"{kind.Name}Number", "0801" + "0a0102"));
        Assert.Contains($"Sample.{kind.Name}Number, field 1 (Value)", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void An_empty_block_makes_an_empty_collection(CollectionKind kind)
    {
        var decoded = Value(s_contracts.Value.Decode($"{kind.Name}Number", "0a00"));
        Assert.Equal(s_contracts.Value.Value($"{kind.Name}NumberType"), decoded!.GetType());
        Assert.Empty(Items(decoded));
    }

    [Theory]
    [MemberData(nameof(Ordered))]
    public void The_parts_of_a_collection_follow_each_other_and_those_of_a_stack_cover_each_other(CollectionKind kind)
    {
        var items = Items(Value(s_contracts.Value.Decode($"{kind.Name}Number", "0801" + "0802" + "1001" + "0803" + "0804"))!);
        bool isStack = kind.Form is CollectionForm.Stack or CollectionForm.ImmutableStack;
        Assert.Equal(isStack ? [3, 4, 1, 2] : [1, 2, 3, 4], items.Cast<int>());
    }

    [Theory]
    [MemberData(nameof(Every))]
    public void A_collection_without_a_setter_is_filled(CollectionKind kind)
    {
        if (kind.IsImmutable || kind.Name == "Array") return;
        AssertSame(kind, Value(s_contracts.Value.Value($"{kind.Name}NumberGrown")), Value(s_contracts.Value.Decode($"{kind.Name}NumberFixed", "0801" + "08ac02")));
        var refused = Assert.Throws<InvalidOperationException>(() => s_contracts.Value.Decode($"{kind.Name}NumberNever", "0801"));
        Assert.Contains("has no setter and holds null", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("IEnumerable")]
    [InlineData("ICollection")]
    [InlineData("IList")]
    [InlineData("IReadOnlyList")]
    [InlineData("IReadOnlyCollection")]
    [InlineData("ISet")]
    [InlineData("IReadOnlySet")]
    public void A_collection_that_nothing_can_be_added_to_is_replaced_by_one_with_its_items(string kind)
    {
        Assert.Equal([7, 1, 300], Items(Value(s_contracts.Value.Decode($"{kind}NumberStiff", "0801" + "08ac02"))).Cast<int>());
        Assert.Equal([7, 1, 2], Items(Value(s_contracts.Value.Decode($"{kind}NumberStiff", "0801" + "1005" + "0802"))).Cast<int>());
    }

    [Theory]
    [InlineData("List")]
    [InlineData("IEnumerable")]
    [InlineData("LinkedList")]
    [InlineData("ImmutableArray")]
    public void A_null_item_is_refused(string kind)
    {
        foreach (var item in (string[])["Text", "Bytes", "Message", "Group", "Nullable", "NullableStruct"])
        {
            var refused = Assert.Throws<InvalidMessageException>(() => s_contracts.Value.Encode($"{kind}{item}", s_contracts.Value.Value($"{kind}{item}Null1")));
            Assert.Equal($"Sample.{kind}{item}.Value: an item of the list is null, which protobuf cannot express.", refused.Message);
        }
    }

    [Fact]
    public void Bytes_that_are_overwritten_are_those_that_came_last()
    {
        Assert.Equal([2], (byte[])Value(s_contracts.Value.Decode("OverBytes", "0a0101" + "0a0102"))!);
        Assert.Equal([9], (byte[])Value(s_contracts.Value.Decode("OverBytes", string.Empty))!);
    }

    [Fact]
    public void Native_integers_are_never_packed()
    {
        Assert.Equal("08010802", s_contracts.Value.Encode("Natives", s_contracts.Value.Value("NativesFull")));
        Assert.Equal([1, 2], ((List<nint>)Value(s_contracts.Value.Decode("Natives", "0a020102"))!).Select(static number => (int)number));
    }

    // Items of all kinds in one collection of each way in which they are taken out and put in, and some in all.
    private static bool Has(CollectionKind kind, string item) => kind.Form switch
    {
        CollectionForm.Sorted or CollectionForm.Hashed => item is "Number" or "Enum",
        _ => item is "Number" or "Message" || kind.Name is "List" or "Array" or "IEnumerable" or "LinkedList" or "Stack" or "ImmutableArray",
    };

    private static object? Value(object? message) => message!.GetType().GetProperty("Value")!.GetValue(message);

    private static IEnumerable<object?> Items(object? collection) => ((System.Collections.IEnumerable)collection!).Cast<object?>();

    private static void AssertSame(CollectionKind kind, object? expected, object? actual)
    {
        if (kind.Form == CollectionForm.Bag) Assert.Equal(Texts(expected), Texts(actual));
        else Assert.Null(ObjectComparer.Difference(expected, actual));

        static IEnumerable<string> Texts(object? bag) => Items(bag).Select(static item => System.Text.Json.JsonSerializer.Serialize(item, JsonFields)).Order(StringComparer.Ordinal);
    }

    private static readonly System.Text.Json.JsonSerializerOptions JsonFields = new() { IncludeFields = true };

    // What is read comes behind what is there; on a stack it is on top.
    private static string Grown(CollectionKind kind, string first, string last) =>
        kind.Form is CollectionForm.Stack or CollectionForm.ImmutableStack ? $"{first}, {last}" : $"{last}, {first}";

    private static string Writable(CollectionKind kind, string items) => kind.Made is null ? kind.Value("int", items) : $"new {kind.MadeOf("int")}(new[] {{ {items} }})";

    private static CompiledContracts Compile()
    {
        var types = new System.Text.StringBuilder(CollectionKind.Classes);
        types.AppendLine("[ProtoContract] public struct Point { [ProtoMember(1)] public int X; [ProtoMember(2)] public int Y; }");
        types.AppendLine("[ProtoContract] public class Leaf { [ProtoMember(1)] public int Id { get; set; } [ProtoMember(2)] public string Name { get; set; } }");
        types.AppendLine("[ProtoContract] public class OverBytes { [ProtoMember(1, OverwriteList = true)] public byte[] Value { get; set; } = { 9 }; }");
        types.AppendLine("[ProtoContract] public class Natives { [ProtoMember(1, IsPacked = true)] public List<nint> Value { get; set; } }");
        var messages = new List<string> { "OverBytes", "Natives" };
        var values = new List<(string, string)> { ("NativesFull", "new Natives { Value = new() { 1, 2 } }") };
        foreach (var kind in CollectionKind.All)
        {
            foreach (var (item, type, first, last, option) in s_items.Where(item => Has(kind, item.Name)))
            {
                var name = kind.Name + item;
                var declared = kind.TypeOf(type);
                Declare(name, $"(1{option})", "{ get; set; }");
                if (item is "Number" or "Message") Declare(name + "Preset", $"(1{option})", $"{{ get; set; }} = {kind.Value(type, last)};");
                values.Add((name + "Full", $"new {name} {{ Value = {kind.Value(type, first)} }}"));
                values.Add((name + "Grown", $"new {name} {{ Value = {kind.Value(type, Grown(kind, first, last))} }}"));
                values.Add((name + "Type", $"typeof({kind.MadeOf(type)})"));
                if (type is not ("Point" or "int" or "long" or "DayOfWeek")) values.Add((name + "Null1", $"new {name} {{ Value = {kind.Value(type, "null")} }}"));
                if (item != "Number") continue;

                Declare(name + "Over", "(1, OverwriteList = true)", $"{{ get; set; }} = {kind.Value(type, last)};");
                Declare(name + "Packed", "(1, IsPacked = true)", "{ get; set; }");
                if (!kind.IsImmutable && kind.Name != "Array")
                {
                    types.AppendLine($"[ProtoContract] public class {name}Fixed {{ private readonly {declared} _value = {Writable(kind, last)}; [ProtoMember(1)] public {declared} Value => _value; }}");
                    types.AppendLine($"[ProtoContract] public class {name}Never {{ [ProtoMember(1)] public {declared} Value => null; }}");
                    messages.Add(name + "Fixed");
                    messages.Add(name + "Never");
                }

                if (kind.Made is not null && !kind.IsImmutable)
                {
                    var stiff = kind.Form == CollectionForm.Set ? "ImmutableHashSet.Create(7)" : "new[] { 7 }";
                    Declare(name + "Stiff", "(1)", $"{{ get; set; }} = {stiff};");
                }

                values.Add((name + "Null", $"new {name}()"));
                values.Add((name + "Empty", $"new {name} {{ Value = {kind.Value(type, string.Empty)} }}"));
                values.Add((name + "Late", $"new {name} {{ Value = {kind.Value(type, "7, 8")} }}"));
                values.Add((name + "Mixed", $"new {name} {{ Value = {kind.Value(type, kind.Form is CollectionForm.Stack or CollectionForm.ImmutableStack ? "5, 9, 1, 300" : "1, 300, 5, 9")} }}"));
                foreach (var (what, items) in ((string, string)[])[("Full", first), ("One", "7"), ("Empty", string.Empty)])
                    values.Add(($"{name}Packed{what}", $"new {name}Packed {{ Value = {kind.Value(type, items)} }}"));

                void Declare(string message, string number, string accessors)
                {
                    types.AppendLine($"[ProtoContract] public class {message} {{ [ProtoMember{number}] public {declared} Value {accessors} }}");
                    messages.Add(message);
                }
            }
        }

        return new CompiledContracts(types.ToString(), messages, values);
    }
}
