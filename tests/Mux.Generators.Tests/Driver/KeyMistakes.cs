namespace Mux.Generators.Tests.Driver;

/// <summary>What can be wrong with affinity keys.</summary>
internal static class KeyMistakes
{
    private const string Item = " [MuxService(\"s\")] public interface IService { ValueTask M(Item item); }";

    public static IEnumerable<DiagnosticCase> All =>
    [
        Argument("decimal", "'key' has [MuxKey] and the type 'decimal'; a key is text, an integer, an enum, a Guid or bytes", "long"),
        Argument("bool", "'bool'", "ulong"),
        Argument("double?", "'double?'", "System.DayOfWeek?"),
        Argument("System.DateTime", "'System.DateTime'", "System.Guid"),
        Argument("List<byte>", "'System.Collections.Generic.List<byte>'", "byte[]"),
        new("MUX0061", "a message without a key", "[DataContract] public class Item { [DataMember(Order = 1)] public int Id; } [MuxService(\"s\")] public interface IService { ValueTask M(int x, [MuxKey] Item [|item|]); }", "or a message that marks one of its members", "public int Id", "[MuxKey] public int Id"),
        new("MUX0061", "a token", "[MuxService(\"s\")] public interface IService { ValueTask M(int x, [MuxKey] CancellationToken [|token|]); }", "only an argument", "[MuxKey] ", ""),
        new("MUX0061", "options", "[MuxService(\"s\")] public interface IService { ValueTask M([MuxKey] int x, [MuxKey] MuxCallOptions [|options|]); }", "only an argument", "[MuxKey] MuxCallOptions", "MuxCallOptions"),
        new("MUX0061", "a stream", "[MuxService(\"s\")] public interface IService { ValueTask M([MuxKey] IAsyncEnumerable<int> [|items|]); }", "only an argument", "[MuxKey] ", ""),
        new("MUX0061", "a member of another type", "[ProtoContract] public class Item { [ProtoMember(1), MuxKey] public decimal [|Price|] { get; set; } }" + Item, "'Item.Price' has [MuxKey] and the type 'decimal'", "decimal", "string?"),
        new("MUX0061", "a private member", "[DataContract] public class Item { [DataMember(Order = 1), MuxKey] private int [|_id|]; }" + Item, "make it public or internal", "private", "internal"),
        new("MUX0061", "a property without a getter", "[DataContract] public class Item { [DataMember(Order = 1)] public int Id; [MuxKey] public int [|Key|] { set => Id = value; } }" + Item, "no getter", "{ set => Id = value; }", "=> Id;"),
        new("MUX0061", "a static member", "[DataContract] public class Item { [DataMember(Order = 1)] public int Id; [MuxKey] public static int [|Key|] = 5; }" + Item, "the same for all calls", "static ", ""),
        new("MUX0061", "a circle", "[DataContract] public class Item { [DataMember(Order = 1)] public int Id; [DataMember(Order = 2), MuxKey] public Item? [|Next|]; }" + Item, "contains itself", ", MuxKey", ""),
        new("MUX0062", "two parameters", "[MuxService(\"s\")] public interface IService { ValueTask M([MuxKey] int a, [MuxKey] int [|b|]); }", "'IService.M(int, int)' has the keys 'a' and 'b'", "[MuxKey] int b", "int b"),
        new("MUX0062", "two members", "[DataContract] public class Item { [DataMember(Order = 1), MuxKey] public int A; [DataMember(Order = 2), MuxKey] public int [|B|]; }" + Item, "'Item' has the keys 'A' and 'B'", "2), MuxKey", "2)"),
        new("MUX0062", "a member of a base class", "public class Base { [MuxKey] public int [|A|]; } [DataContract] public class Item : Base { [DataMember(Order = 2), MuxKey] public int B; }" + Item, "'Item' has the keys 'B' and 'A'", "{ [MuxKey] ", "{ "),
        new("MUX0062", "two messages", "[DataContract] public class Item { [DataMember(Order = 1), MuxKey] public int Id; } [MuxService(\"s\")] public interface IService { ValueTask M(Item a, Item [|b|]); }", "has the keys 'a' and 'b'", "Item a", "[MuxKey] Item a"),
    ];

    private static DiagnosticCase Argument(string type, string says, string right) =>
        new("MUX0061", type, $"[MuxService(\"s\")] public interface IService {{ ValueTask M(int x, [MuxKey] {type} [|key|]); }}", says, $"{type} key", $"{right} key");
}
