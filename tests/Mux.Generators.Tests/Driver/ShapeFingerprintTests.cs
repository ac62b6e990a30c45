using System.Globalization;
using System.Text.RegularExpressions;

namespace Mux.Generators.Tests.Driver;

/// <summary>The fingerprints of two contracts are the same if their bytes mean the same, and others if they do not.</summary>
public sealed partial class ShapeFingerprintTests
{
    private const string Item = "[ProtoContract] public class Item { [ProtoMember(1)] public int Id { get; set; } [ProtoMember(2)] public List<Part> Parts { get; set; } } [ProtoContract] public class Part { [ProtoMember(1)] public string Name { get; set; } }";
    private const string Method = "ValueTask<int> M(Item item);";

    public static TheoryData<string, string, string> SameBytes => new()
    {
        { "names", "[ProtoContract] public class A { [ProtoMember(1)] public int B; [ProtoMember(2)] public List<C> D; } [ProtoContract] public class C { [ProtoMember(1)] public string E; }", "Task<int> N(A a);" },
        { "arrays, structs, nullable numbers and the order of declaration", "[ProtoContract] public struct Item { [ProtoMember(2)] public Part[] Parts; [ProtoMember(1)] public int? Id; } [ProtoContract] public class Part { [ProtoMember(1)] public string Name; }", Method },
        { "what is required or left out", "[ProtoContract] public class Item { [ProtoMember(1, IsRequired = true)] public int Id; [ProtoMember(2)] public List<Part> Parts; } [ProtoContract] public class Part { [ProtoMember(1), DefaultValue(\"x\")] public string Name; }", Method },
        { "an enum in place of its number", "public enum Kind { A } " + Item.Replace("int Id", "Kind Id", StringComparison.Ordinal), Method },
        { "arguments in place of a message of theirs", Item, "ValueTask<int> M(int id, List<Part> parts);" },
        { "options, token and result", Item, "Task<MuxResult<int>> M(Item item, MuxCallOptions options, CancellationToken token);" },
    };

    public static TheoryData<string, string, string> OtherBytes => new()
    {
        { "a number", Item.Replace("ProtoMember(1)] public int", "ProtoMember(3)] public int", StringComparison.Ordinal), Method },
        { "a wider integer", Item.Replace("int Id", "long Id", StringComparison.Ordinal), Method },
        { "zigzag", Item.Replace("ProtoMember(1)] public int", "ProtoMember(1, DataFormat = DataFormat.ZigZag)] public int", StringComparison.Ordinal), Method },
        { "a fixed size", Item.Replace("ProtoMember(1)] public int", "ProtoMember(1, DataFormat = DataFormat.FixedSize)] public int", StringComparison.Ordinal), Method },
        { "bytes in place of a text", Item.Replace("string Name", "byte[] Name", StringComparison.Ordinal), Method },
        { "one in place of many", Item.Replace("List<Part>", "Part", StringComparison.Ordinal), Method },
        { "a field more", Item.Replace("public string Name", "public int More { get; set; } [ProtoMember(2)] public string Name", StringComparison.Ordinal), Method },
        { "a group", Item.Replace("ProtoMember(2)]", "ProtoMember(2, DataFormat = DataFormat.Group)]", StringComparison.Ordinal), Method },
        { "a Guid", Item.Replace("string Name", "System.Guid Name", StringComparison.Ordinal), Method },
        { "a parameter more", Item, "ValueTask<int> M(Item item, int more);" },
        { "a stream", Item, "ValueTask<int> M(IAsyncEnumerable<Item> item);" },
        { "a stream more", Item, "ValueTask<int> M(Item item, IAsyncEnumerable<int> items);" },
        { "a circle", Item.Replace("public string Name", "public List<Part> Parts { get; set; } [ProtoMember(3)] public string Name", StringComparison.Ordinal), Method },
        { "nothing", Item, "ValueTask<int> M();" },
    };

    [Theory]
    [MemberData(nameof(SameBytes))]
    public void What_has_no_effect_on_the_bytes_has_none_on_the_fingerprint(string what, string messages, string method) =>
        Assert.True(Of(Item, Method) == Of(messages, method), what);

    [Theory]
    [MemberData(nameof(OtherBytes))]
    public void Another_shape_has_another_fingerprint_in_its_direction_alone(string what, string messages, string method)
    {
        var (request, response) = Of(Item, Method);
        var (otherRequest, otherResponse) = Of(messages, method);
        Assert.True(request != otherRequest, what);
        Assert.Equal(response, otherResponse);
    }

    [Fact]
    public void Messages_that_contain_each_other_are_told_apart_by_where_they_close_the_circle()
    {
        const string pair = "[ProtoContract] public class A { [ProtoMember(1)] public B Next; } [ProtoContract] public class B { [ProtoMember(1)] public A Next; }";
        const string single = "[ProtoContract] public class A { [ProtoMember(1)] public A Next; }";
        Assert.NotEqual(Of(pair, "ValueTask<int> M(A a);"), Of(single, "ValueTask<int> M(A a);"));
        Assert.Equal(Of(pair, "ValueTask<int> M(A a);"), Of(pair, "ValueTask<int> M(B b);"));
    }

    [Fact]
    public void Classes_that_are_written_as_one_message_have_one_fingerprint_and_their_parts_count()
    {
        const string pair = "[ProtoContract, ProtoInclude(5, typeof(B))] public class A { [ProtoMember(1)] public int X; } [ProtoContract] public class B : A { [ProtoMember(1)] public A Y; }";
        var known = Of(pair, "ValueTask<int> M(A a);");
        Assert.Equal(known, Of(pair, "ValueTask<int> M(B b);"));
        Assert.NotEqual(known, Of(pair.Replace("ProtoInclude(5", "ProtoInclude(6", StringComparison.Ordinal), "ValueTask<int> M(A a);"));
        Assert.NotEqual(known, Of(pair.Replace("typeof(B)", "typeof(B), DataFormat = DataFormat.Group", StringComparison.Ordinal), "ValueTask<int> M(A a);"));
        Assert.NotEqual(known, Of(pair.Replace("A Y", "int Y", StringComparison.Ordinal), "ValueTask<int> M(A a);"));
    }

    [Fact]
    public void A_surrogate_and_a_tuple_have_the_fingerprint_of_what_is_written()
    {
        const string wire = "[ProtoContract] public class Wire { [ProtoMember(1)] public int X; [ProtoMember(2)] public string Y; }";
        const string methods = " public static implicit operator Wire(A a) => null; public static implicit operator A(Wire wire) => null;";
        const string surrogate = "[ProtoContract(Surrogate = typeof(Wire))] public class A {" + methods + " } " + wire;
        Assert.Equal(Of(wire, "ValueTask<int> M(Wire a);"), Of(surrogate, "ValueTask<int> M(A a);"));
        Assert.Equal(Of(wire, "ValueTask<int> M(Wire a);"), Of(string.Empty, "ValueTask<int> M((int, string) a);"));
        const string text = "[ProtoContract(Surrogate = typeof(string))] public class A { public static implicit operator string(A a) => null; public static implicit operator A(string text) => null; }";
        Assert.Equal(Of(string.Empty, "ValueTask<int> M(string a);"), Of(text, "ValueTask<int> M(A a);"));
    }

    [Fact]
    public void A_value_that_another_level_writes_otherwise_has_another_fingerprint()
    {
        const string message = "[ProtoContract] public class A { [ProtoMember(1)] public System.Guid Id; }";
        var leveled = message.Replace("[ProtoMember(1)]", "[ProtoMember(1), CompatibilityLevel(CompatibilityLevel.Level300)]", StringComparison.Ordinal);
        Assert.NotEqual(Of(message, "ValueTask<int> M(A a);"), Of(leveled, "ValueTask<int> M(A a);"));
    }

    [Fact]
    public void By_another_serializer_the_format_is_the_fingerprint()
    {
        const string serializers = "[Mux.Serialization.PayloadFormat(\"x\")] public class X : Mux.Serialization.IPayloadSerializer { public static void Write<T>(ref Mux.Serialization.MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; } ";
        var known = Of(serializers, "[MuxMethod(Serializer = typeof(X))] ValueTask<int> M(string text);");
        Assert.Equal(known, Of(serializers, "[MuxMethod(Serializer = typeof(X))] ValueTask<System.Uri> M(int number);"));
        Assert.NotEqual(known, Of(serializers.Replace("\"x\"", "\"y\"", StringComparison.Ordinal), "[MuxMethod(Serializer = typeof(X))] ValueTask<int> M(string text);"));
        Assert.NotEqual(known, Of(string.Empty, "ValueTask<int> M(string text);"));
        Assert.Equal(Of(string.Empty, "ValueTask<int> M();").Request, Of(serializers, "[MuxMethod(Serializer = typeof(X))] ValueTask<int> M();").Request);
    }

    [Fact]
    public void Of_a_serializer_that_writes_the_codec_s_bytes_nothing_is_known()
    {
        const string serializer = "[Mux.Serialization.PayloadFormat(\"protobuf\")] public class X : Mux.Serialization.IPayloadSerializer { public static void Write<T>(ref Mux.Serialization.MessageWriter writer, T value) { } public static T Read<T>(System.ReadOnlySpan<byte> body) => default!; } ";
        var run = GeneratorRun.Of(serializer + "[Mux.MuxService(\"s\", Serializer = typeof(X))] public interface IService { System.Threading.Tasks.ValueTask<int> M(string text); }");
        Assert.DoesNotContain("Fingerprint", run.GeneratedFile("IService_Service.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_same_message_has_the_same_fingerprint_both_ways()
    {
        var (request, response) = Of(Item, "ValueTask<Item> M(Item item);");
        Assert.Equal(request, response);
    }

    /// <summary>Sides that were built by different versions of the generator compare them, so they never change for what exists.</summary>
    [Fact]
    public void A_fingerprint_is_what_it_was() => Assert.Equal((0x9DF6AD44U, 0x7FC64A87U), Of(Item, Method));

    private static (uint Request, uint Response) Of(string messages, string method)
    {
        const string usings = "using System.Collections.Generic; using System.ComponentModel; using System.Threading; using System.Threading.Tasks; using Mux; using ProtoBuf; ";
        var run = GeneratorRun.Of(usings + messages + $" [MuxService(\"s\")] public interface IService {{ {method} }}", GeneratorRun.ProtoBufSource);
        Assert.Empty(run.Mistakes);
        var found = Fingerprints().Match(run.GeneratedFile("IService_Service.g.cs"));
        return (Parse(found.Groups[1].Value), Parse(found.Groups[2].Value));
    }

    private static uint Parse(string hex) => uint.Parse(hex, NumberStyles.HexNumber, CultureInfo.InvariantCulture);

    [GeneratedRegex("RequestFingerprint = 0x([0-9A-F]{8}), ResponseFingerprint = 0x([0-9A-F]{8})")]
    private static partial Regex Fingerprints();
}
