namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with a message type as a whole: its base classes, its surrogate, what is called around it, what numbers its members.</summary>
internal static class TypeMistakes
{
    private const string Service = "[MuxService(\"s\")] public interface IService { ValueTask Send(Item item); }\n";

    public static IEnumerable<DiagnosticCase> All =>
    [
        new("MUX0014", "an interface", "[ProtoContract] public interface [|Item|] { }" + Service, "a message is a class, a struct or a record", "interface Item {", "class Item {"),
        new("MUX0016", "a derived message without a parameterless constructor", Base("typeof(Dog)") + "[ProtoContract] public class [|Dog|] : Item { public Dog(int age) { } }", "SkipConstructor = true", "[ProtoContract] public class Dog", "[ProtoContract(SkipConstructor = true)] public class Dog"),
        Includes("MUX0018", "an include without a number", "0, typeof(Dog)", "the field number 0", "1, typeof(Dog)"),
        new("MUX0019", "an include with the number of a member", "[ProtoContract, ProtoInclude(1, typeof(Dog))] public class Item { [ProtoMember(1)] public int [|Id|]; } public class Dog : Item { }" + Service, "'[ProtoInclude] Dog' and 'Item.Id' have the same field number 1", "(1, typeof", "(2, typeof"),
        new("MUX0019", "a number that is given away", "[ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public class Item { [ProtoMember(1)] public int [|B|]; public int A; }" + Service, "same field number 1", "ImplicitFields.AllPublic", "ImplicitFields.AllPublic, ImplicitFirstTag = 2"),
        new("MUX0020", "all fields with a primary constructor", "[ProtoContract(ImplicitFields = ImplicitFields.AllFields)] public class [|Item|](int id) { public Item() : this(0) { } public int Id() => id; }" + Service, "primary constructor", "AllFields", "AllPublic"),
        Includes("MUX0021", "an include of another class", "1, typeof(string)", "includes 'string', which does not derive from it", "1, typeof(Dog)"),
        Includes("MUX0021", "an include by a name that nothing has", "1, \"Cat\"", "includes a class that is not found", "1, \"Dog, Sample\""),
        Includes("MUX0021", "an include of an open class", "1, typeof(Of<>)", "an open generic class", "1, typeof(Of<int>)"),
        Includes("MUX0021", "an include twice", "1, typeof(Dog)), ProtoInclude(2, typeof(Dog)", "includes 'Dog' twice", "1, typeof(Dog)"),
        new("MUX0021", "an include by two", "[ProtoContract, ProtoInclude(1, typeof(Dog)), ProtoInclude(2, typeof(Puppy))] public class Item { } [ProtoContract, ProtoInclude(1, typeof(Puppy))] public class Dog : Item { } [ProtoContract] public class [|Puppy|] : Dog { }" + Service, "is included by 'Dog' and by 'Item'", ", ProtoInclude(2, typeof(Puppy))", ""),
        new("MUX0021", "an include of what looks like a tuple", Base("typeof(Dog)", "[|Item|]") + "public class Dog : Item { public Dog(int age) => Age = age; public int Age { get; } }", "taken as a tuple", "public class Dog", "[ProtoContract(SkipConstructor = true)] public class Dog"),
        new("MUX0021", "an include of what has a surrogate", Base("typeof(Dog)", "[|Item|]") + "[ProtoContract(Surrogate = typeof(int))] public class Dog : Item { }", "written by a surrogate", "Surrogate = typeof(int)", "IsGroup = true"),
        Member("MUX0022", "a callback that returns something", "[ProtoAfterSerialization] private int [|Done|]() => 1;", "[ProtoAfterSerialization] and cannot be called: it returns a value", "private int Done() => 1", "private void Done() => ToString()"),
        Member("MUX0022", "a callback with a parameter", "[OnDeserialized] public void [|Done|](int context) { }", "may be a StreamingContext", "int context", "StreamingContext context, System.Type type, ProtoBuf.SerializationContext other"),
        Member("MUX0022", "a callback twice", "[OnSerialized] public void A() { } [OnSerialized] public void [|B|]() { }", "'Item.A()' has the same attribute", "[OnSerialized] public void B", "public void B"),
        Member("MUX0023", "a condition that is no bool", "[ProtoMember(1)] public int A; public int [|ASpecified|] { get; set; }", "decides whether 'A' is written, is not a bool", "int ASpecified", "bool ASpecified"),
        new("MUX0023", "a condition of what the constructor takes", "[ProtoContract] public record [|Item|]([property: ProtoMember(1)] int A) { public bool ASpecified { get; set; } }" + Service, "a constructor takes the member", "get; set;", "get;"),
        new("MUX0024", "unknown fields of a struct", "[ProtoContract] public struct [|Item|] : IExtensible { IExtension IExtensible.GetExtensionObject(bool make) => null!; }" + Service, "a struct keeps no unknown fields", "struct Item", "class Item"),
        new("MUX0024", "unknown fields of a chain in one place", Base("typeof(Dog)") + "[ProtoContract] public class [|Dog|] : Item, IExtensible { IExtension IExtensible.GetExtensionObject(bool make) => null!; }", "kept by ITypedExtensible", ": Item, IExtensible { IExtension IExtensible.GetExtensionObject(bool make) => null!; }", ": Item { }"),
        Member("MUX0024", "two places for unknown fields", "private UnknownFields? _a; public UnknownFields? [|B|] { get; set; }", "has the members '_a' and 'B'", "private UnknownFields? _a;", ""),
        new("MUX0043", "a base whose members are lost", "[ProtoContract] public class Base { [ProtoMember(1)] public int A; } [ProtoContract] public class [|Item|] : Base { [ProtoMember(1)] public int B; }" + Service, "inherits marked members of 'Base'", "[ProtoContract] public class Base", "[ProtoContract, ProtoInclude(2, typeof(Item))] public class Base"),
        Type("MUX0044", "a partial attribute for a member that is not there", "[ProtoContract, ProtoPartialMember(1, \"B\")]", "public int A; [ProtoMember(2)] public int C;", "for a member 'B'", "\"B\"", "\"A\""),
        Type("MUX0044", "a partial attribute that leaves nothing out", "[ProtoContract, ProtoPartialIgnore(\"B\")]", "[ProtoMember(1)] public int A;", "for a member 'B'", "\"B\"", "\"A\""),
        Member("MUX0045", "a static callback", "[OnSerialized] public static void [|Done|]() { }", "is not called, as with protobuf-net: it is static", "static ", ""),
        Member("MUX0045", "a callback that another displaces", "[ProtoAfterSerialization] public void A() { } [OnSerialized] public void [|B|]() { }", "'Item.A()' has [ProtoAfterSerialization]", "[OnSerialized]", "[ProtoBeforeSerialization]"),
        new("MUX0045", "a callback of a derived message", Base("typeof(Dog)") + "[ProtoContract] public class Dog : Item { [OnSerialized] public void [|Done|]() { } }", "only callbacks of the first base are called", "[OnSerialized] ", ""),
        Surrogate("a surrogate without conversions", "class Wire { }", "no conversion operator from 'Item' to 'Wire'", "class Wire { }", "class Wire { public static implicit operator Wire(Item item) => null!; public static implicit operator Item(Wire wire) => null!; }"),
        Surrogate("a surrogate with one conversion", "class Wire { public static implicit operator Wire(Item item) => null!; }", "no conversion operator from 'Wire' to 'Item'", "Wire(Item item) => null!;", "Wire(Item item) => null!; [ProtoConverter] private static Item Back(Wire wire) => null!;"),
        Surrogate("a list as a surrogate", "class Wire : List<int> { }", "a list cannot be a surrogate", "class Wire : List<int> { }", "class Wire { public static implicit operator Wire(Item item) => null!; public static implicit operator Item(Wire wire) => null!; }"),
        new("MUX0095", "a generic message that contains larger ones of itself", "[ProtoContract] public class Item { [ProtoMember(1)] public Node<int>? A; } [ProtoContract] public class Node<T> { [ProtoMember(1)] public T? Value; [ProtoMember(2)] public Node<List<T>>? [|Next|]; }\n" + Service, "'Node<T>.Next' makes 'Node<T>' contain itself with ever larger type arguments", "Node<List<T>>", "Node<T>"),
        new("MUX0046", "surrogates in a circle", "[ProtoContract(Surrogate = typeof(Wire))] public class [|Item|] { } [ProtoContract(Surrogate = typeof(Item))] public class Wire { public static implicit operator Wire(Item item) => null!; public static implicit operator Item(Wire wire) => null!; }" + Service, "form a circle", "[ProtoContract(Surrogate = typeof(Item))]", "[ProtoContract]"),
    ];

    private static string Base(string include, string name = "Item") => $"[ProtoContract, ProtoInclude(1, {include})] public class {name} {{ }}\n{Service}";

    private static DiagnosticCase Member(string id, string what, string members, string says, string replace, string with)
    {
        return new(id, what, $"[ProtoContract] public class Item {{ {members} }}\n{Service}", says, replace, with);
    }

    private static DiagnosticCase Type(string id, string what, string attributes, string members, string says, string replace, string with)
    {
        return new(id, what, $"{attributes} public class [|Item|] {{ {members} }}\n{Service}", says, replace, with);
    }

    private static DiagnosticCase Includes(string id, string what, string include, string says, string other)
    {
        const string derived = "[ProtoContract] public class Dog : Item { } [ProtoContract] public class Of<T> : Item { }";
        return new(id, what, $"[ProtoContract, ProtoInclude({include})] public class [|Item|] {{ }} {derived}\n{Service}", says, $"ProtoInclude({include})", $"ProtoInclude({other})");
    }

    private static DiagnosticCase Surrogate(string what, string wire, string says, string replace, string with)
    {
        return new("MUX0046", what, $"[ProtoContract(Surrogate = typeof(Wire))] public class [|Item|] {{ }} [ProtoContract] public {wire}\n{Service}", says, replace, with);
    }
}
