namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with messages.</summary>
internal static class MessageMistakes
{
    private const string Service = "[MuxService(\"s\")] public interface IService { ValueTask Send(Item item); }\n";

    public static IEnumerable<DiagnosticCase> All =>
    [
        new("MUX0013", "no message", "public class Plain { } [MuxService(\"s\")] public interface IService { ValueTask Send(Plain [|item|]); }", "'Plain', which is not a message", "public class", "[DataContract] public class"),
        new("MUX0013", "no message in a member", Item("[DataMember(Order = 1)] public Plain? [|Other|];") + " public class Plain { }", "'Item.Other' has the type 'Plain'", "public class Plain", "[DataContract] public class Plain"),
        Type("a date", "System.DateTime", "dates, times, Guid and decimal", "long"),
        Type("a Guid", "System.Guid?", "dates, times, Guid and decimal", "string?"),
        Type("a decimal", "List<decimal>?", "dates, times, Guid and decimal", "List<double>?"),
        Type("a map", "Dictionary<string, int>?", "maps are not supported yet", "List<string>?"),
        Type("a set", "HashSet<int>?", "List<T> and arrays are supported", "List<int>?"),
        Type("an interface", "IReadOnlyList<int>?", "List<T> and arrays are supported", "List<int>?"),
        Type("a list in a list", "List<List<int>>?", "needs a message around it", "List<int>?"),
        Type("an array in an array", "int[][]?", "needs a message around it", "int[]?"),
        Type("two dimensions", "int[,]?", "one dimension", "int[]?"),
        Type("items that may be null", "List<int?>?", "cannot express null in a list", "List<int>?"),
        Type("a tuple", "(int, int)", "tuples are not supported yet", "int"),
        Type("an object", "object?", "must be declared", "int"),
        Type("a delegate", "System.Action?", "code cannot be sent", "int"),
        Type("an address", "System.Uri?", "use a string", "string?"),
        Type("memory", "System.Memory<byte>", "only byte[]", "byte[]?"),
        Type("a half", "System.Half", "no number of this size", "float"),
        new("MUX0014", "an enumerable message", "[ProtoContract] public class [|Item|] : List<int> { }" + Service, "IgnoreListHandling = true", "[ProtoContract]", "[ProtoContract(IgnoreListHandling = true)]"),
        new("MUX0015", "private", "public class Outer { [DataContract] private class Inner { } [DataContract] internal class Item { [DataMember(Order = 1)] private Inner? [|x|]; } }" + Service.Replace("Item", "Outer.Item", StringComparison.Ordinal).Replace("public", "internal", StringComparison.Ordinal), "'Outer.Inner', which generated code cannot reach", "private class", "internal class"),
        new("MUX0015", "a private enum", "public class Outer { private enum Kind { } [DataContract] internal class Item { [DataMember(Order = 1)] private Kind [|x|]; } }" + Service.Replace("Item", "Outer.Item", StringComparison.Ordinal).Replace("public", "internal", StringComparison.Ordinal), "'Outer.Kind'", "private enum", "internal enum"),
        new("MUX0016", "no constructor", "[DataContract] public class [|Item|] { public Item(int other) { } [DataMember(Order = 1)] public int Id; }" + Service, "no parameterless constructor", "int other", "int id"),
        new("MUX0016", "abstract", "[DataContract] public abstract class [|Item|] { }" + Service, "it is abstract", "abstract ", ""),
        Member("MUX0017", "no setter", "[DataMember(Order = 1)] public int [|Id|] => 5;", "has no setter", "=> 5;", "{ get; }"),
        Member("MUX0017", "no getter", "[DataMember(Order = 1)] public int [|Id|] { set { } }", "has no getter", "set { }", "get; set;"),
        Member("MUX0017", "an indexer", "[DataMember(Order = 1)] public int [|this|][int i] { get => i; set { } }", "is an indexer", "this[int i] { get => i;", "Id { get => 1;"),
        new("MUX0017", "a private setter of a generic message", "[DataContract] public class Page<T> { [DataMember(Order = 1)] public T? [|X|] { get; private set; } }" + Service.Replace("Item", "Page<int>", StringComparison.Ordinal), "generic message", "private set", "set"),
        Member("MUX0018", "zero", "[ProtoMember(0)] public int [|Id|];", "the field number 0", "(0)", "(1)"),
        Member("MUX0018", "too large", "[DataMember(Order = 536870912)] public int [|Id|];", "536870912", "536870912", "536870911"),
        Member("MUX0019", "twice", "[DataMember(Order = 1)] public int A; [DataMember(Order = 1)] public int [|B|];", "'Item.A' and 'Item.B' have the same field number 1", "1)] public int B", "2)] public int B"),
        Member("MUX0020", "OverwriteList", "[ProtoMember(1, OverwriteList = true)] public List<int>? [|A|];", "uses ProtoMember.OverwriteList", ", OverwriteList = true", ""),
        Member("MUX0020", "AsReference", "[ProtoMember(1, AsReference = true)] public Item? [|A|];", "uses ProtoMember.AsReference", "AsReference = true", "AsReference = false"),
        Member("MUX0020", "DynamicType", "[ProtoMember(1, DynamicType = true)] public Item? [|A|];", "uses ProtoMember.DynamicType", "DynamicType = true", "IsRequired = true"),
        Member("MUX0020", "null wrapping", "[ProtoMember(1), NullWrappedValue] public List<string>? [|A|];", "uses [NullWrappedValue]", ", NullWrappedValue", ""),
        Contract("MUX0020", "implicit fields", "ImplicitFields = ImplicitFields.AllPublic", "uses ProtoContract.ImplicitFields", "SkipConstructor = true"),
        Contract("MUX0020", "an offset", "DataMemberOffset = 1", "uses ProtoContract.DataMemberOffset", "DataMemberOffset = 0"),
        Contract("MUX0020", "a surrogate", "Surrogate = typeof(int)", "uses ProtoContract.Surrogate", "Name = \"x\""),
        Contract("MUX0020", "a serializer", "Serializer = typeof(int)", "uses ProtoContract.Serializer", "IgnoreUnknownSubTypes = true"),
        Contract("MUX0020", "inferred tags", "InferTagFromName = true", "uses ProtoContract.InferTagFromName", "IsGroup = true"),
        new("MUX0020", "a partial member", "[ProtoContract, ProtoPartialMember(1, \"A\")] public class [|Item|] { public int A; [ProtoMember(2)] public int B; }" + Service, "uses [ProtoPartialMember]", ", ProtoPartialMember(1, \"A\")", ""),
        new("MUX0021", "an include", "[ProtoContract, ProtoInclude(1, typeof(Other))] public class [|Item|] { } public class Other : Item { }" + Service, "has [ProtoInclude]", ", ProtoInclude(1, typeof(Other))", ""),
        new("MUX0021", "a base that is a message", "[DataContract] public class Base { } [DataContract] public class [|Item|] : Base { }" + Service, "inherits the message 'Base'", "[DataContract] public class Base", "public class Base"),
        Member("MUX0022", "a callback", "[OnDeserialized] public void [|Done|](StreamingContext context) { }", "(OnDeserializedAttribute)", "[OnDeserialized]", ""),
        Member("MUX0022", "a callback of protobuf-net", "[ProtoAfterSerialization] private void [|Done|]() { }", "'Item.Done()'", "[ProtoAfterSerialization]", ""),
        Member("MUX0023", "ShouldSerialize", "[ProtoMember(1)] public int A; private bool [|ShouldSerializeA|]() => true;", "decides whether 'A' is written", "ShouldSerializeA", "ShouldKeepA"),
        Member("MUX0023", "Specified", "[ProtoMember(1)] public int A; public bool [|ASpecified|] { get; set; }", "decides whether 'A'", "ASpecified", "AKnown"),
        new("MUX0024", "extension data", "namespace ProtoBuf { public interface IExtensible { } } [ProtoContract] public class [|Item|] : IExtensible { }" + Service, "implements ProtoBuf.IExtensible", " : IExtensible", ""),
        Member("MUX0025", "zigzag without a sign", "[ProtoMember(1, DataFormat = DataFormat.ZigZag)] public uint [|A|];", "declared ZigZag", "uint", "int"),
        Member("MUX0025", "a group of digits", "[ProtoMember(1, DataFormat = DataFormat.Group)] public int [|A|];", "declared Group", "int A", "Item? A"),
        Member("MUX0026", "a default of another kind", "[ProtoMember(1), DefaultValue(\"x\")] public int [|A|];", "cannot be converted to 'int'", "\"x\"", "\"5\""),
        Member("MUX0026", "a default out of range", "[ProtoMember(1), DefaultValue(300)] public byte [|A|];", "cannot be converted to 'byte'", "300", "255"),
        Member("MUX0026", "a default of a message", "[ProtoMember(1), DefaultValue(1)] public Item? [|A|];", "cannot be converted", "(1)]", "(null)]"),
        Member("MUX0027", "no number", "[DataMember] public int [|A|];", "without an Order", "[DataMember]", "[DataMember(Order = 1)]"),
        new("MUX0028", "no numbered member", "[DataContract] public class [|Item|] { public int A { get; set; } }" + Service, "nothing of it is sent", "public int A", "[DataMember(Order = 1)] public int A"),
        new("MUX0027", "no contract of its kind", "[ProtoContract] public class Item { [DataMember(Order = 1)] public int [|A|]; }" + Service, "and its type no [DataContract]", "[ProtoContract]", "[ProtoContract, DataContract]"),
    ];

    private static string Item(string members) => $"[DataContract, ProtoContract] public class Item {{ {members} }}\n{Service}";

    private static DiagnosticCase Member(string id, string what, string members, string says, string replace, string with) => new(id, what, Item(members), says, replace, with);

    private static DiagnosticCase Type(string what, string type, string says, string other)
    {
        return Member("MUX0014", what, $"[DataMember(Order = 1)] public {type} [|A|];", says, $"public {type} A", $"public {other} A");
    }

    private static DiagnosticCase Contract(string id, string what, string option, string says, string other)
    {
        return new(id, what, $"[ProtoContract({option})] public class [|Item|] {{ }}\n{Service}", says, option, other);
    }
}
