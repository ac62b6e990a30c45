using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Generators.Tests.Containers;

namespace Mux.Generators.Tests.Driver;

/// <summary>What contract files say of C# types that are narrower than those of protobuf, and of initial values.</summary>
public sealed class ExactFieldTests
{
    private const string Code = """
        #nullable enable
        using System.Collections.Generic;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;
        namespace shop;
        public enum Grade : byte { None, High }
        public static class Known { public const int Seven = 7; }
        [ProtoContract] public class Order { [ProtoMember(1)] MEMBER }
        [MuxService("shop.Orders")] public interface IOrders { ValueTask<Order> Find(short port, Dictionary<byte, long> map); }
        """;

    [Theory]
    [InlineData("public int A { get; set; }", "int32 a = 1;")]
    [InlineData("public short A { get; set; }", "int32 a = 1 [(mux.field).bits = 16];")]
    [InlineData("public ushort A { get; set; }", "uint32 a = 1 [(mux.field).bits = 16];")]
    [InlineData("public char A { get; set; }", "uint32 a = 1 [(mux.field).bits = 16];")]
    [InlineData("public byte A { get; set; }", "uint32 a = 1 [(mux.field).bits = 8];")]
    [InlineData("public sbyte? A { get; set; }", "optional int32 a = 1 [(mux.field).bits = 8];")]
    [InlineData("public List<short>? A { get; set; }", "repeated int32 a = 1 [packed = false, (mux.field).bits = 16];")]
    [InlineData("public byte[]? A { get; set; }", "optional bytes a = 1;")]
    [InlineData("public Grade A { get; set; }", "Grade a = 1;")]
    [InlineData("public Dictionary<sbyte, ushort>? A { get; set; }", "map<int32, uint32> a = 1 [(mux.field).bits = 16, (mux.field).key_bits = 8];")]
    [InlineData("public int? A { get; set; } = 3;", "optional int32 a = 1 [(mux.field).absent = \"3\"];")]
    [InlineData("public int? A { get; set; } = Known.Seven * 2;", "optional int32 a = 1 [(mux.field).absent = \"14\"];")]
    [InlineData("public short? A = -3;", "optional int32 a = 1 [(mux.field).bits = 16, (mux.field).absent = \"-3\"];")]
    [InlineData("public double? A { get; set; } = 1;", "optional double a = 1 [(mux.field).absent = \"1\"];")]
    [InlineData("public bool? A { get; set; } = false;", "optional bool a = 1 [(mux.field).absent = \"false\"];")]
    [InlineData("public Grade? A { get; set; } = Grade.High;", "optional Grade a = 1 [(mux.field).absent = \"Grade_High\"];")]
    [InlineData("public string? A { get; set; } = \"x\\\"\";", "optional string a = 1 [(mux.field).absent = \"x\\\"\"];")]
    [InlineData("public string? A { get; set; } = \"\";", "optional string a = 1 [(mux.field).absent = \"\"];")]
    [InlineData("public string A { get; set; } = \"x\";", "string a = 1 [(mux.field).absent = \"x\"];")]
    [InlineData("public string A { get; set; } = \"\";", "string a = 1;")]
    [InlineData("public string A { get; set; } = null!;", "string a = 1;")]
    [InlineData("public string A { get; set; } = default!;", "string a = 1;")]
    [InlineData("public string A { get; set; } = string.Empty;", "string a = 1;")]
    [InlineData("public int? A { get; set; } = new System.Random(1).Next();", "optional int32 a = 1;")]
    [InlineData("[System.ComponentModel.DefaultValue(5)] public int A { get; set; } = 5;", "optional int32 a = 1 [default = 5];")]
    public void A_contract_file_says_what_a_field_takes_and_what_it_is_without_a_value(string member, string field)
    {
        // A default other than zero makes a file of proto2, next to the one with the service.
        var texts = ContractChange.RecordAll(Code.Replace("MEMBER", member, StringComparison.Ordinal));
        Assert.Contains(texts, text => text.Contains($"message Order {{\n  {field}\n}}", StringComparison.Ordinal));
        Assert.Contains(texts, static text => text.Contains("  int32 port = 1 [(mux.field).bits = 16];\n  map<uint32, int64> map = 2 [(mux.field).key_bits = 8];\n", StringComparison.Ordinal));
    }

    [Fact]
    public void An_initial_value_of_any_type_is_the_value_of_the_member_or_none()
    {
        // Few of them are legal C#: the others are there while people type.
        string[] literals = ["3", "3U", "3L", "3UL", "'a'", "1.5", "1.5f", "1.5m", "true", "\"\"", "\"x\"", "null", "default", "", "-3", "(byte)3", "-1.5", "\"\"u8"];
        string[] kinds =
        [
            "bool", "char", "sbyte", "byte", "short", "ushort", "int", "uint", "long", "ulong", "nint", "float", "double", "decimal", "string", "Grade",
            "System.Guid", "System.DateTime", "System.TimeSpan", "System.DateOnly", "byte[]", "System.Uri", "Order",
        ];
        var members = kinds.SelectMany(kind => literals.Select(literal => $"{kind}? A = {literal};"));
        var numbered = members.Select((member, index) => $"[ProtoMember({index + 1})] public {member.Replace("A", $"A{index}", StringComparison.Ordinal)}");
        var code = Code.Replace("[ProtoContract]", "[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)]", StringComparison.Ordinal);
        var text = ContractChange.Record(code.Replace("[ProtoMember(1)] MEMBER", string.Join('\n', numbered), StringComparison.Ordinal));
        Assert.Equal("97", AbsentOf("double", "'a'"));
        Assert.Equal("97", AbsentOf("float", "'a'"));
        Assert.Equal("97", AbsentOf("decimal", "'a'"));
        Assert.Equal("97", AbsentOf("int", "'a'"));
        Assert.Equal("3", AbsentOf("double", "3UL"));
        Assert.Equal("1.5", AbsentOf("decimal", "1.5m"));
        Assert.Equal("1.5", AbsentOf("double", "1.5f"));
        Assert.Equal("-3", AbsentOf("double", "-3"));
        Assert.Equal("true", AbsentOf("bool", "true"));
        Assert.Equal("x", AbsentOf("string", "\"x\""));
        Assert.All(kinds, kind => Assert.Equal(kind == "string" ? "" : null, AbsentOf(kind, "\"\"")));
        Assert.All(kinds, kind => Assert.Null(AbsentOf(kind, "default")));
        Assert.All(kinds[16..], kind => Assert.All(literals, literal => Assert.Null(AbsentOf(kind, literal))));

        string? AbsentOf(string kind, string literal)
        {
            int index = (Array.IndexOf(kinds, kind) * literals.Length) + Array.IndexOf(literals, literal);
            var line = Assert.Single(text.Split('\n'), line => line.Contains($" a{index} = ", StringComparison.Ordinal));
            var parts = line.Split("absent = ");
            return parts.Length == 1 ? null : parts[1].Split('"')[1];
        }
    }

    [Fact]
    public void An_editor_and_a_build_say_the_same_of_a_referenced_project()
    {
        const string type = "#nullable enable\nusing ProtoBuf; namespace shop; public static class Known { public const int Seven = 7; }"
            + "[ProtoContract] public class Order { [ProtoMember(1)] public int? A { get; set; } = 3; [ProtoMember(2)] public int? B = Known.Seven; }";
        const string service = "using System.Threading.Tasks; namespace shop; [Mux.MuxService(\"shop.Orders\")] public interface IOrders { ValueTask<Order> Find(); }";
        var messages = GeneratorRun.Compile("Foreign", [], GeneratorRun.ProtoBufSource, type);
        using var image = new MemoryStream();
        Assert.True(messages.Emit(image, cancellationToken: TestContext.Current.CancellationToken).Success);
        var edited = Record(messages.ToMetadataReference());
        Assert.Contains("optional int32 a = 1;", edited, StringComparison.Ordinal);
        Assert.Contains("optional int32 b = 2;", edited, StringComparison.Ordinal);
        Assert.Equal(Record(MetadataReference.CreateFromImage(image.ToArray())), edited);

        static string Record(MetadataReference reference) =>
            Assert.Single(ContractChange.RecordAll(GeneratorRun.Compile("Home", [reference], service)));
    }

    [Theory]
    [InlineData("public int A { get; set; }", "public short A { get; set; }", "MUX0076")]
    [InlineData("public int A { get; set; }", "public short A { get; set; } [ProtoMember(2)] public int B { get; set; }", "MUX0076")]
    [InlineData("public int A { get; set; }", "public char A { get; set; }", "MUX0076")]
    [InlineData("public List<uint>? A { get; set; }", "public List<ushort>? A { get; set; }", "MUX0076")]
    [InlineData("public Dictionary<int, int>? A { get; set; }", "public Dictionary<int, short>? A { get; set; }", "MUX0076")]
    [InlineData("public short A { get; set; }", "public int A { get; set; }", "MUX0086")]
    [InlineData("public byte A { get; set; }", "public int A { get; set; }", "MUX0086")]
    [InlineData("public short A { get; set; }", "public long A { get; set; }", "MUX0086")]
    [InlineData("public Dictionary<string, byte>? A { get; set; }", "public Dictionary<string, int>? A { get; set; }", "MUX0086")]
    [InlineData("public Dictionary<ushort, string>? A { get; set; }", "public Dictionary<int, string>? A { get; set; }", "MUX0086")]
    [InlineData("public Dictionary<string, short>? A { get; set; }", "public Dictionary<string, long>? A { get; set; }", "MUX0086")]
    [InlineData("public Dictionary<string, byte>? A { get; set; }", "public Dictionary<string, sbyte>? A { get; set; }", "MUX0076")]
    [InlineData("public Dictionary<ushort, string>? A { get; set; }", "public Dictionary<short, string>? A { get; set; }", "MUX0076")]
    [InlineData("public Dictionary<uint, string>? A { get; set; }", "public Dictionary<int, string>? A { get; set; }", "MUX0076")]
    [InlineData("public int? A { get; set; } = 3;", "public int? A { get; set; } = 5;", "MUX0078")]
    [InlineData("public int? A { get; set; } = 3;", "public int? A { get; set; }", "MUX0078")]
    [InlineData("public int? A { get; set; }", "public int? A { get; set; } = 5;", "MUX0078")]
    [InlineData("public Grade? A { get; set; } = Grade.High;", "public Grade? A { get; set; } = Grade.None;", "MUX0078")]
    [InlineData("public int? A { get; set; } = 7;", "public int? A { get; set; } = Known.Seven;", "")]
    [InlineData("public Grade? A { get; set; } = Grade.High;", "public int? A { get; set; } = 1;", "MUX0086")]
    [InlineData("public Grade? A { get; set; } = Grade.High;", "public int? A { get; set; } = 2;", "MUX0078")]
    [InlineData("public Grade? A { get; set; } = Grade.High;", "public int? A { get; set; }", "MUX0078")]
    [InlineData("public decimal? A { get; set; } = 1.0m;", "public decimal? A { get; set; } = 1.00m;", "")]
    [InlineData("public decimal? A { get; set; } = 10;", "public decimal? A { get; set; } = 1;", "MUX0078")]
    [InlineData("public string? A { get; set; } = \"1.0\";", "public string? A { get; set; } = \"1.00\";", "MUX0078")]
    [InlineData("public int? A { get; set; } = 0;", "public int? A { get; set; }", "MUX0078")]
    [InlineData("public double? A { get; set; } = 1e20;", "public double? A { get; set; } = 100000000000000000000d;", "")]
    public void A_change_of_either_is_reported(string before, string after, string expected)
    {
        var code = Code.Replace("[ProtoContract]", "[ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300)]", StringComparison.Ordinal);
        var recorded = ContractChange.Record(code.Replace("MEMBER", before, StringComparison.Ordinal));
        var found = ContractChange.Find(code.Replace("MEMBER", after, StringComparison.Ordinal), recorded);
        Assert.Equal(expected, string.Join(' ', found.Select(static diagnostic => diagnostic.Id)));
    }

    [Theory]
    [InlineData("class", "", "public int? A { get; set; } = 3;", 3)]
    [InlineData("class", "", "public int? A { get; init; } = 3;", 3)]
    [InlineData("class", "", "public int? A = 3;", 3)]
    [InlineData("class", "(SkipConstructor = true)", "public int? A { get; set; } = 3;", null)]
    [InlineData("struct", "", "public int? A { get; set; } = 3; public Order() { }", null)]
    public void A_message_without_the_field_means_the_value_that_the_file_says(string kind, string options, string member, int? expected)
    {
        var type = $"[ProtoContract{options}] public {kind} Order {{ [ProtoMember(1)] {member} }}";
        var contracts = new CompiledContracts(type, ["Order"], []);
        var order = contracts.Decode("Order", "")!;
        var value = order.GetType().GetProperty("A")?.GetValue(order) ?? order.GetType().GetField("A")?.GetValue(order);
        Assert.Equal(expected, value);

        var code = $"using ProtoBuf; using System.Threading.Tasks; namespace shop; {type} [Mux.MuxService(\"shop.Orders\")] public interface IOrders {{ ValueTask<Order> Find(); }}";
        var absent = expected is null ? "" : $" [(mux.field).absent = \"{expected.Value.ToString(CultureInfo.InvariantCulture)}\"]";
        Assert.Contains($"optional int32 a = 1{absent};", ContractChange.Record(code), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_of_an_earlier_version_is_behind_and_no_more()
    {
        var code = Code.Replace("MEMBER", "public short? A { get; set; } = 3;", StringComparison.Ordinal);
        var old = ContractChange.Record(code).Replace(" [(mux.field).bits = 16, (mux.field).absent = \"3\"]", "", StringComparison.Ordinal)
            .Replace(" [(mux.field).bits = 16]", "", StringComparison.Ordinal).Replace(" [(mux.field).key_bits = 8]", "", StringComparison.Ordinal)
            .Replace("  option (mux.service) = {\n    exact_fields: true\n  };\n", "", StringComparison.Ordinal);
        Assert.DoesNotContain("mux.field", old, StringComparison.Ordinal);
        var found = Assert.Single(ContractChange.Find(code, old));
        Assert.Equal("MUX0086", found.Id);
        Assert.Contains("recorded by an earlier version", found.GetMessage(CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }
}
