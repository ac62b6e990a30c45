namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with messages.</summary>
internal static class MessageMistakes
{
    private const string Service = "[MuxService(\"s\")] public interface IService { ValueTask Send(Item item); }\n";

    public static IEnumerable<DiagnosticCase> All =>
    [
        new("MUX0013", "no message", "public class Plain { } [MuxService(\"s\")] public interface IService { ValueTask Send(Plain [|item|]); }", "'Plain', which is not a message", "public class", "[DataContract] public class"),
        new("MUX0013", "an interface", "public interface IPlain { } [MuxService(\"s\")] public interface IService { ValueTask Send(IPlain [|item|]); }", "an interface cannot be created", "public interface IPlain", "[DataContract] public class IPlain"),
        new("MUX0013", "a type of another assembly", "[MuxService(\"s\")] public interface IService { ValueTask Send(System.Text.StringBuilder [|item|]); }", "is not declared in this project", "System.Text.StringBuilder", "string"),
        new("MUX0013", "no message in a member", Item("[DataMember(Order = 1)] public Plain? [|Other|];") + " public class Plain { }", "mark it [DataContract] or [ProtoContract]", "public class Plain", "[DataContract] public class Plain"),
        Type("a date with an offset", "System.DateTimeOffset", "no serializer for it: use a DateTime", "System.DateTime"),
        Type("a version", "System.Version?", "no serializer for it: use a string", "string?"),
        Type("a type", "System.Type?", "the type that this process loads", "string?"),
        Type("a map in a list", "List<Dictionary<string, int>>?", "into a message", "Dictionary<string, int>?"),
        Type("a key that may be null", "Dictionary<int?, int>?", "the key of a map", "Dictionary<int, int?>?"),
        Type("a key that is a list", "Dictionary<int[], int>?", "the key of a map", "Dictionary<int, int[]>?"),
        Type("a list of lists in a map", "Dictionary<int, int[][]>?", "into a message", "Dictionary<int, int[]>?"),
        Type("a read-only list", "System.Collections.ObjectModel.ReadOnlyCollection<int>?", "declare the interface", "System.Collections.ObjectModel.Collection<int>?"),
        Type("a read-only map", "System.Collections.ObjectModel.ReadOnlyDictionary<int, int>?", "declare the interface", "IReadOnlyDictionary<int, int>?"),
        Type("a collection without items", "System.Collections.ArrayList?", "without an item type", "List<int>?"),
        Type("what nothing can be added to", "System.Linq.IOrderedEnumerable<int>?", "the class that implements the interface is not known", "IEnumerable<int>?"),
        new("MUX0014", "a collection of an abstract class", Item("[DataMember(Order = 1)] public Numbers? [|A|];") + "public abstract class Numbers : List<int> { }", "it is abstract", "abstract ", ""),
        new("MUX0014", "a collection that asks for something", Item("[DataMember(Order = 1)] public Numbers? [|A|];") + "public class Numbers : List<int> { public Numbers(int size) { } }", "no public constructor without parameters", "int size", ""),
        new("MUX0014", "a collection that is a struct", Item("[DataMember(Order = 1)] public System.ArraySegment<int> [|A|];"), "must be a class", "System.ArraySegment<int>", "int[]?"),
        new("MUX0015", "a private collection", "public class Outer { private class Numbers : List<int> { } [DataContract] internal class Item { [DataMember(Order = 1)] private Numbers? [|x|]; } }" + Service.Replace("Item", "Outer.Item", StringComparison.Ordinal).Replace("public", "internal", StringComparison.Ordinal), "'Outer.Numbers'", "private class", "internal class"),
        Type("a list in a list", "List<List<int>>?", "into a message", "List<int>?"),
        Type("an array in an array", "int[][]?", "into a message", "int[]?"),
        Type("two dimensions", "int[,]?", "send the items as one array, and the lengths of its dimensions", "int[]?"),
        Type("an object", "object?", "declare a specific type", "int"),
        Type("a delegate", "System.Action?", "code cannot be sent", "int"),
        Type("memory of numbers", "System.Memory<int>", "bytes only: use an array", "System.Memory<byte>"),
        Type("a half", "System.Half?", "use a float, which holds every Half", "float?"),
        Type("a number of 128 bits", "System.Int128", "two ulong members for its upper and lower half, or a byte[]", "ulong"),
        Type("a number of 128 bits without a sign", "System.UInt128", "two ulong members", "byte[]?"),
        Type("a number without a limit", "System.Numerics.BigInteger", "use a byte[], from ToByteArray()", "byte[]?"),
        new("MUX0014", "a list with members of its own", "[ProtoContract] public class [|Item|] : List<int> { [ProtoMember(1)] public int A; }" + Service, "to send its items, as protobuf-net does, remove [ProtoContract]", "[ProtoContract] ", ""),
        new("MUX0014", "a list with members of its own by another attribute", "[DataContract] public class [|Item|] : List<int> { [DataMember(Order = 1)] public int A; }" + Service, "remove [DataContract]; to send its members, mark it [ProtoContract(IgnoreListHandling = true)], which drops the items", "[DataContract] ", ""),
        new("MUX0014", "an enumerable message", "[ProtoContract] public class [|Item|] : List<int> { [ProtoMember(1)] public int A; }" + Service, "IgnoreListHandling = true", "[ProtoContract]", "[ProtoContract(IgnoreListHandling = true)]"),
        new("MUX0015", "private", "public class Outer { [DataContract] private class Inner { } [DataContract] internal class Item { [DataMember(Order = 1)] private Inner? [|x|]; } }" + Service.Replace("Item", "Outer.Item", StringComparison.Ordinal).Replace("public", "internal", StringComparison.Ordinal), "'Outer.Inner', which generated code cannot reach", "private class", "internal class"),
        new("MUX0015", "a private enum", "public class Outer { private enum Kind { } [DataContract] internal class Item { [DataMember(Order = 1)] private Kind [|x|]; } }" + Service.Replace("Item", "Outer.Item", StringComparison.Ordinal).Replace("public", "internal", StringComparison.Ordinal), "'Outer.Kind'", "private enum", "internal enum"),
        new("MUX0016", "no constructor", "[DataContract] public class [|Item|] { public Item(int other) { } [DataMember(Order = 1)] public int Id; }" + Service, "add a parameterless constructor", "int other", "int id"),
        new("MUX0016", "abstract", "[DataContract] public abstract class [|Item|] { }" + Service, "name its derived classes", "abstract ", ""),
        Member("MUX0017", "no setter", "[DataMember(Order = 1)] public int [|Id|] => 5;", "has no setter", "=> 5;", "{ get; }"),
        Member("MUX0017", "no getter", "[DataMember(Order = 1)] public int [|Id|] { set { } }", "has no getter", "set { }", "get; set;"),
        Member("MUX0017", "an indexer", "[DataMember(Order = 1)] public int [|this|][int i] { get => i; set { } }", "is an indexer", "this[int i] { get => i;", "Id { get => 1;"),
        Member("MUX0018", "zero", "[ProtoMember(0)] public int [|Id|];", "the field number 0", "(0)", "(1)"),
        Member("MUX0018", "too large", "[DataMember(Order = 536870912)] public int [|Id|];", "536870912", "536870912", "536870911"),
        Member("MUX0019", "twice", "[DataMember(Order = 1)] public int A; [DataMember(Order = 1)] public int [|B|];", "'Item.A' and 'Item.B' have the same field number 1", "1)] public int B", "2)] public int B"),
        Member("MUX0020", "AsReference", "[ProtoMember(1, AsReference = true)] public Item? [|A|];", "uses ProtoMember.AsReference", "AsReference = true", "AsReference = false"),
        Member("MUX0020", "DynamicType", "[ProtoMember(1, DynamicType = true)] public Item? [|A|];", "uses ProtoMember.DynamicType", "DynamicType = true", "IsRequired = true"),
        Member("MUX0020", "AsReference by flags", "[ProtoMember(1, Options = MemberSerializationOptions.AsReference | MemberSerializationOptions.Required)] public Item? [|A|];", "uses ProtoMember.Options with AsReference", "MemberSerializationOptions.AsReference |", "MemberSerializationOptions.AsReferenceHasValue |"),
        Member("MUX0020", "DynamicType and an unknown flag", "[ProtoMember(1, Options = (MemberSerializationOptions)72)] public Item? [|A|];", "uses ProtoMember.Options with DynamicType and 64", "72", "18"),
        new("MUX0020", "DynamicType by flags of a partial member", "[ProtoContract, ProtoPartialMember(1, \"A\", Options = MemberSerializationOptions.DynamicType)] public class Item { public Item? [|A|]; }" + Service, "uses ProtoPartialMember.Options with DynamicType", "DynamicType", "Packed"),
        Member("MUX0020", "a number of an enum unlike its constant", "[ProtoMember(1)] public Kind A; public enum Kind { None, [ProtoEnum(Value = 7)] [|Gold|] }", "uses ProtoEnum.Value, 7, unlike the constant, 1", "7", "1"),
        Member("MUX0020", "a number of an enum in a map unlike its constant", "[ProtoMember(1)] public Dictionary<Kind, int>? A; public enum Kind : ulong { None, [ProtoEnum(Value = -1)] [|Gold|] }", "uses ProtoEnum.Value, -1", "Value = -1", "Name = \"gold\""),
        Contract("MUX0020", "a serializer", "Serializer = typeof(int)", "uses ProtoContract.Serializer", "IgnoreUnknownSubTypes = true"),
        Member("MUX0025", "zigzag without a sign", "[ProtoMember(1, DataFormat = DataFormat.ZigZag)] public uint [|A|];", "the data format ZigZag", "uint", "int"),
        Member("MUX0025", "a group of digits", "[ProtoMember(1, DataFormat = DataFormat.Group)] public int [|A|];", "the data format Group", "int A", "Item? A"),
        Member("MUX0025", "a zigzag date", "[ProtoMember(1, DataFormat = DataFormat.ZigZag)] public System.DateTime [|A|];", "the data format ZigZag, in which this value of type 'System.DateTime'", "ZigZag", "FixedSize"),
        Member("MUX0025", "ticks at level 240", "[ProtoMember(1, DataFormat = DataFormat.FixedSize), CompatibilityLevel(CompatibilityLevel.Level240)] public System.TimeSpan? [|A|];", "the data format FixedSize", "Level240", "Level200"),
        Member("MUX0025", "ticks in a list", "[ProtoMember(1, DataFormat = DataFormat.FixedSize)] public List<System.DateTime>? [|A|];", "the data format FixedSize", "FixedSize", "Group"),
        Member("MUX0025", "ticks in a map", "[ProtoMember(1), ProtoMap(ValueFormat = DataFormat.FixedSize)] public Dictionary<int, System.DateTime>? [|A|];", "the data format FixedSize", "FixedSize", "Group"),
        Member("MUX0026", "a default of another kind", "[ProtoMember(1), DefaultValue(\"x\")] public int [|A|];", "cannot be converted to 'int'", "\"x\"", "\"5\""),
        Member("MUX0026", "a default out of range", "[ProtoMember(1), DefaultValue(300)] public byte [|A|];", "cannot be converted to 'byte'", "300", "255"),
        Member("MUX0026", "a default of an enum that has no such constant", "[ProtoMember(1), DefaultValue(\"Silver\")] public Kind [|A|]; public enum Kind { None, Gold }", "cannot be converted to 'Item.Kind'", "Silver", "gold"),
        Member("MUX0026", "a default of an enum between two numbers", "[ProtoMember(1), DefaultValue(1.5)] public Kind [|A|]; public enum Kind { None, Gold }", "cannot be converted to 'Item.Kind'", "1.5", "1"),
        Member("MUX0026", "a default of an enum beyond its type", "[ProtoMember(1), DefaultValue(\"300\")] public Kind [|A|]; public enum Kind : byte { None, Gold }", "cannot be converted to 'Item.Kind'", "300", "200"),
        Member("MUX0026", "a default of two characters", "[ProtoMember(1), DefaultValue(\"ab\")] public char [|A|];", "cannot be converted to 'char'", "ab", "a"),
        Member("MUX0026", "a default that is no bool", "[ProtoMember(1), DefaultValue(\"yes\")] public bool [|A|];", "cannot be converted to 'bool'", "yes", "true"),
        Member("MUX0026", "a default of an integer with a fraction", "[ProtoMember(1), DefaultValue(\"1.5\")] public int [|A|];", "cannot be converted to 'int'", "1.5", "1.0"),
        Member("MUX0026", "a default of a byte with a point", "[ProtoMember(1), DefaultValue(\"1.0\")] public byte [|A|];", "cannot be converted to 'byte'", "1.0", "1"),
        Member("MUX0026", "a default of a list", "[ProtoMember(1), DefaultValue(1)] public List<int>? [|A|];", "cannot be converted to 'System.Collections.Generic.List<int>'", "(1)]", "(null)]"),
        Member("MUX0026", "a default of a map", "[ProtoMember(1), DefaultValue(1)] public Dictionary<int, int>? [|A|];", "cannot be converted to", "(1)]", "(null)]"),
        Member("MUX0026", "a default of bytes", "[ProtoMember(1), DefaultValue(\"x\")] public byte[]? [|A|];", "cannot be converted to 'byte[]'", "\"x\"", "null"),
        Member("MUX0026", "a default that is a type", "[ProtoMember(1), DefaultValue(typeof(int))] public string? [|A|];", "cannot be converted to 'string'", "typeof(int)", "\"int\""),
        Member("MUX0026", "a default of a required member", "[ProtoMember(1, IsRequired = true), DefaultValue(\"x\")] public int [|A|];", "cannot be converted to 'int'", "\"x\"", "1"),
        Member("MUX0026", "a default of a message", "[ProtoMember(1), DefaultValue(1)] public Item? [|A|];", "cannot be converted", "(1)]", "(null)]"),
        Member("MUX0026", "a Guid that is none", "[ProtoMember(1), DefaultValue(\"x\")] public System.Guid [|A|];", "cannot be converted to 'System.Guid'", "\"x\"", "\"3f2504e0-4f89-11d3-9a0c-0305e82c3301\""),
        Member("MUX0026", "a default that depends on the clock", "[ProtoMember(1), DefaultValue(\"12:30\")] public System.DateTime [|A|];", "cannot be converted to 'System.DateTime'", "12:30", "2024-02-29 12:30"),
        Member("MUX0026", "a default that depends on the place", "[ProtoMember(1), DefaultValue(\"2024-02-29T12:30:00Z\")] public System.DateTime [|A|];", "cannot be converted to 'System.DateTime'", "00Z", "00"),
        Member("MUX0026", "a default of a day", "[ProtoMember(1), DefaultValue(\"2024-02-29\")] public System.DateOnly [|A|];", "cannot be converted to 'System.DateOnly'", "DateOnly", "DateTime"),
        Member("MUX0026", "a default of another type", "[ProtoMember(1), DefaultValue(typeof(System.TimeSpan), \"1\")] public decimal [|A|];", "cannot be converted to 'decimal'", "System.TimeSpan", "decimal"),
        Member("MUX0027", "no number", "[DataMember] public int [|A|];", "without an Order", "[DataMember]", "[DataMember(Order = 1)]"),
        Member("MUX0069", "a number of a static member", "[ProtoMember(1)] public static int [|A|];", "[ProtoMember], which has no effect, as with protobuf-net: it is static", "static ", ""),
        Member("MUX0069", "a number of a constant", "[DataMember(Order = 1)] public const int [|A|] = 1;", "it is static", "const ", ""),
        Member("MUX0069", "a number of a constant of an enum", "[ProtoMember(1)] public Kind A; public enum Kind { None, [ProtoMember(2)] [|Gold|] }", "written as the number that it is", "[ProtoMember(2)] ", ""),
        Member("MUX0069", "formats of a map without a number", "[ProtoMap(KeyFormat = DataFormat.ZigZag)] public Dictionary<int, int>? [|A|]; [ProtoMember(2)] public int B;", "[ProtoMap], which has no effect, as with protobuf-net: the member has no number", "[ProtoMap", "[ProtoMember(1), ProtoMap"),
        Member("MUX0069", "nulls of a member without a number", "[NullWrappedValue] public int? [|A|]; [ProtoMember(2)] public int B;", "[NullWrappedValue]", "[Null", "[ProtoMember(1), Null"),
        new("MUX0069", "a number of a tuple's member", "public record Item([property: ProtoMember(2)] int [|A|]);\n" + Service, "is taken as a tuple", "public record", "[ProtoContract] public record"),
        new("MUX0069", "a default of a tuple's member", "public readonly struct Item(int a) { [DefaultValue(5)] public int [|A|] { get; } = a; }\n" + Service, "[DefaultValue], which has no effect", "[DefaultValue(5)] ", ""),
        new("MUX0069", "a number in a type with a surrogate", "[ProtoContract(Surrogate = typeof(string))] public class Item { [ProtoMember(1)] public int [|A|]; public static implicit operator string(Item item) => \"\"; public static implicit operator Item(string text) => new(); }\n" + Service, "'string' is written in place of its type", "[ProtoMember(1)] ", ""),
        Member("MUX0038", "a level of a member", "[ProtoMember(1), CompatibilityLevel((CompatibilityLevel)250)] public System.Guid [|A|];", "'Item.A' has the compatibility level 250", "(CompatibilityLevel)250", "CompatibilityLevel.Level300"),
        new("MUX0038", "a level of a type", "[ProtoContract, CompatibilityLevel((CompatibilityLevel)1)] public class [|Item|] { [ProtoMember(1)] public int A; }" + Service, "'Item' has the compatibility level 1", "(CompatibilityLevel)1", "CompatibilityLevel.Level240"),
        Member("MUX0038", "a level of a member by Mux's attribute", "[ProtoMember(1), MuxCompatibilityLevel((MuxCompatibilityLevel)250)] public System.Guid [|A|];", "'Item.A' has the compatibility level 250; levels are 200, 240 and 300", "(MuxCompatibilityLevel)250", "MuxCompatibilityLevel.Level300"),
        new("MUX0038", "two levels of a type", "[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level240), MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)] public class [|Item|] { [ProtoMember(1)] public System.Guid A; }" + Service, "'Item' has the compatibility level 240 by one attribute and 300 by another", "Level240", "Level300"),
        Member("MUX0038", "two levels of a member", "[ProtoMember(1), MuxCompatibilityLevel(MuxCompatibilityLevel.Level200), CompatibilityLevel(CompatibilityLevel.Level300)] public System.Guid [|A|];", "200 by one attribute and 300 by another", "MuxCompatibilityLevel.Level200", "MuxCompatibilityLevel.NotSpecified"),
        new("MUX0028", "no numbered member", "[DataContract] public class [|Item|] { public int A { get; set; } }" + Service, "nothing of it is sent", "public int A", "[DataMember(Order = 1)] public int A"),
        Member("MUX0040", "a wrapped number that is never null", "[ProtoMember(1), NullWrappedValue] public int [|A|];", "it cannot be null", "int A", "int? A"),
        Member("MUX0040", "a wrapped message", "[ProtoMember(1), NullWrappedValue] public Item? [|A|];", "may be null without the attribute", "Item? A", "List<Item>? A"),
        Member("MUX0040", "a wrapped date", "[ProtoMember(1), NullWrappedValue] public System.DateTime? [|A|];", "written as a message already", "System.DateTime?", "System.DateOnly?"),
        Member("MUX0040", "a wrapped collection that is none", "[ProtoMember(1), NullWrappedCollection] public int? [|A|];", "it is not a collection", "int? A", "int[]? A"),
        Member("MUX0040", "a wrapped value that is required", "[ProtoMember(1, IsRequired = true), NullWrappedValue] public int? [|A|];", "a required value cannot be wrapped", ", IsRequired = true", ""),
        Member("MUX0040", "a wrapped value that is packed", "[ProtoMember(1, IsPacked = true), NullWrappedValue] public int? [|A|];", "a packed value cannot be wrapped", ", IsPacked = true", ""),
        Member("MUX0040", "a wrapped value with a format", "[ProtoMember(1, DataFormat = DataFormat.ZigZag), NullWrappedValue] public int? [|A|];", "a value with a DataFormat cannot be wrapped", ", DataFormat = DataFormat.ZigZag", ""),
        Member("MUX0040", "a wrapped value with a default", "[ProtoMember(1), NullWrappedValue, DefaultValue(5)] public int? [|A|];", "a value with a default cannot be wrapped", ", DefaultValue(5)", ""),
        Member("MUX0040", "wrapped values of a map that are lists", "[ProtoMember(1), NullWrappedValue] public Dictionary<int, List<int>>? [|A|];", "collections themselves", "List<int>>", "string>"),
        Member("MUX0041", "formats of a list", "[ProtoMember(1), ProtoMap(KeyFormat = DataFormat.FixedSize)] public List<int>? [|A|];", "the member is not a map", "List<int>", "Dictionary<int, int>"),
        Member("MUX0041", "formats of pairs", "[ProtoMember(1), ProtoMap(ValueFormat = DataFormat.FixedSize)] public Dictionary<double, int>? [|A|];", "protobuf has no map of this kind", "double", "long"),
        Member("MUX0025", "a zigzag key without a sign", "[ProtoMember(1), ProtoMap(KeyFormat = DataFormat.ZigZag)] public Dictionary<uint, int>? [|A|];", "the data format ZigZag", "uint", "int"),
        new("MUX0027", "no contract of its kind", "[ProtoContract] public class Item { [DataMember(Order = 1)] public int [|A|]; }" + Service, "but its type has no [DataContract]", "[ProtoContract]", "[ProtoContract, DataContract]"),
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
