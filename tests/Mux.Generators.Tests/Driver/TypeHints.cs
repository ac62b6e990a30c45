namespace Mux.Generators.Tests.Driver;

/// <summary>What is worth knowing of message types, and no mistake.</summary>
internal static class TypeHints
{
    private const string Service = "[MuxService(\"s\")] public interface IService { ValueTask Send(Item item); }\n";

    private const string Level = "MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)";

    public static IEnumerable<DiagnosticCase> All =>
    [
        Undeclared("an id", "[DataMember(Order = 1)] public int A; [DataMember(Order = 2)] public System.Guid B; [DataMember(Order = 3)] public decimal C;", "'Item' has 'B' and no compatibility level"),
        Undeclared("an amount", "[DataMember(Order = 1)] public decimal? A;", "[assembly: MuxCompatibilityLevel(MuxCompatibilityLevel.Level300)]"),
        Undeclared("dates", "[DataMember(Order = 1)] public List<System.DateTime>? A;", "'A'"),
        Undeclared("spans in a map", "[DataMember(Order = 1)] public Dictionary<string, System.TimeSpan>? A;", "'A'"),
        Undeclared("ids as keys of a map", "[DataMember(Order = 1)] public Dictionary<System.Guid, int>? A;", "'A'"),
        Undeclared("an id that may be wrapped", "[ProtoMember(1), NullWrappedCollection] public System.Guid[]? A;", "'A'", "[ProtoContract]"),
        new("MUX0039", "arguments", "[MuxService(\"s\")] public interface [|IService|] { ValueTask Send(int count, System.Guid id); ValueTask Book(int count, System.DateTime day); }", "'IService' has 'id'", "[MuxService", $"[{Level}, MuxService"),
        new("MUX0039", "a tuple of the project", "public record [|Item|](System.Guid Id);\n" + Service, "'Item' has 'Id'", "public record", $"[{Level}] public record"),
        new("MUX0039", "a level of another member", $"[DataContract] public class [|Item|] {{ [DataMember(Order = 1), {Level}] public System.Guid A; [DataMember(Order = 2)] public decimal B; }}\n{Service}", "'Item' has 'B'", "[DataMember(Order = 2)]", $"[DataMember(Order = 2), {Level}]"),

        new("MUX0042", "a record", "public record [|Item|](int A, string B);\n" + Service, "'Item' has no attribute and is taken as a tuple", "public record Item(int A, string B)", "[DataContract] public record Item([property: DataMember(Order = 1)] int A, [property: DataMember(Order = 2)] string B)"),
        new("MUX0042", "a struct in a member", "public readonly struct [|Point|](int x) { public int X { get; } = x; } [DataContract] public class Item { [DataMember(Order = 1)] public Point A; }\n" + Service, "'Point'", "public Point A", "public System.ValueTuple<int> A"),
        new("MUX0042", "a record of an argument beside others", "public record [|Item|](int A);\n[MuxService(\"s\")] public interface IService { ValueTask Send(int count, Item item, (int, int) pair, KeyValuePair<int, int> other); }", "'Item'", ", Item item", ""),
    ];

    private static DiagnosticCase Undeclared(string what, string members, string says, string contract = "[DataContract]") =>
        new("MUX0039", what, $"{contract} public class [|Item|] {{ {members} }}\n{Service}", says, contract, $"[{Level}] {contract}");
}
