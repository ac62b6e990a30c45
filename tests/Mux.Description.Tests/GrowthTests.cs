using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Json;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;
using Mux.Description.Proto.Printing;
using Mux.Description.Tests.Parsing;
using static Google.Protobuf.Reflection.FieldDescriptorProto.Types;

namespace Mux.Description.Tests;

/// <summary>No work is done for each pair of parts of a file: what strangers send costs as much as it has bytes.</summary>
public sealed class GrowthTests
{
    private const string Options = "import \"google/protobuf/descriptor.proto\";\nextend google.protobuf.FieldOptions { repeated M x = 50000; }\n";

    [Theory]
    [InlineData("numbers of values")]
    [InlineData("required fields")]
    [InlineData("targets")]
    [InlineData("unknown features")]
    public void Reading_options_takes_the_time_of_their_number(string kind) => Growth.AssertLinear(3_000, size =>
    {
        var text = TextOf(kind, size);
        Assert.DoesNotContain(ParsedText.Parse(text).Faults, static fault => !fault.Message.Contains("must have a known value", StringComparison.Ordinal));
        return () => ParsedText.Parse(text);
    });

    [Theory]
    [InlineData("oneofs")]
    [InlineData("groups")]
    public void Writing_text_takes_the_time_of_its_length(string kind) => Growth.AssertLinear(1_000, size =>
    {
        var file = DescriptorReader.Read(SetOf(kind, size)).Files[0];
        return () => ProtoPrinter.Print(file);
    });

    [Fact]
    public void Reading_descriptors_takes_the_time_of_their_fields() => Growth.AssertLinear(1_000, static size =>
    {
        var set = SetOf("unused oneofs", size);
        return () => DescriptorReader.Read(set);
    });

    [Fact]
    public void Preparing_messages_for_JSON_takes_the_time_of_their_fields() => Growth.AssertLinear(1_000, static size =>
    {
        var message = ContractSet.Read(SetOf("oneofs", size)).FindMessage("M")!;
        return () => _ = new JsonType(message);
    });

    [Fact]
    public void Writing_descriptors_takes_the_time_of_their_fields() => Growth.AssertLinear(2_000, static size =>
    {
        var fields = string.Concat(Enumerable.Range(1, size).Select(static i => $"optional int32 f{i} = {i}; oneof o{i} {{ int32 g{i} = {i + 100_000}; }}"));
        var set = ProtoLoader.Load("m", _ => $"syntax = \"proto3\"; message M {{ {fields} }}", [])!;
        return () => DescriptorWriter.Write(set);
    });

    [Fact]
    public void Names_of_types_are_shortened_without_a_text_for_each_scope()
    {
        var package = string.Join('.', Enumerable.Repeat("a", 100));
        var imported = string.Join('.', Enumerable.Repeat("b", 100));
        var fields = string.Concat(Enumerable.Range(1, 2_000).Select(i => $"M{i % 500} f{i} = {i}; .{imported}.N{i % 500} g{i} = {i + 50_000};"));
        var file = ProtoLoader.Load("m", name => name switch
        {
            "m" => $"syntax = \"proto3\"; package {package}; import \"n\"; message M {{ {fields} }} {Messages('M')}",
            "n" => $"syntax = \"proto3\"; package {imported}; {Messages('N')}",
            _ => null,
        }, [])!.Files[^1];
        long before = GC.GetAllocatedBytesForCurrentThread();
        int length = ProtoPrinter.Print(file).Length;
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.True(allocated < length * 40L, $"{allocated} bytes for {length} characters");

        static string Messages(char letter) => string.Concat(Enumerable.Range(0, 500).Select(i => $"message {letter}{i} {{ }}"));
    }

    private static byte[] SetOf(string kind, int size)
    {
        var message = new DescriptorProto { Name = "M" };
        for (int i = 0; i < size; i++)
        {
            var field = new FieldDescriptorProto { Name = $"f{i}", Number = i + 1, Label = Label.Optional, Type = FieldDescriptorProto.Types.Type.Int32 };
            message.Field.Add(field);
            if (kind == "oneofs")
            {
                field.OneofIndex = i;
                message.OneofDecl.Add(new OneofDescriptorProto { Name = $"o{i}" });
            }
            else if (kind == "unused oneofs")
            {
                for (int j = 0; j < 4; j++) message.OneofDecl.Add(new OneofDescriptorProto { Name = $"o{i}_{j}" });
            }
            else
            {
                (field.Type, field.TypeName) = (FieldDescriptorProto.Types.Type.Group, $".M.F{i}");
                message.NestedType.Add(new DescriptorProto { Name = $"F{i}" });
            }
        }

        return new FileDescriptorSet { File = { new FileDescriptorProto { Name = "m", MessageType = { message } } } }.ToByteArray();
    }

    private static string TextOf(string kind, int size) => kind switch
    {
        "numbers of values" => Options + "enum E {" + Lines(size, static i => $"E{i} = {i};") + "} message M { optional E e = 1; optional int32 a = 2 ["
            + string.Join(',', Enumerable.Range(0, size).Select(static i => $"(x) = {{ e: {i} }}")) + "]; }",
        "required fields" => Options + "message M {" + Lines(size, static i => $"optional int32 f{i} = {(i < 18_000 ? i + 1 : i + 2_001)};") + "optional int32 a = 100000 ["
            + string.Join(',', Enumerable.Repeat("(x) = { }", size)) + "]; }",
        "targets" => "import \"google/protobuf/descriptor.proto\";\nmessage A { extend google.protobuf.FieldOptions { optional int32 x = 50000 ["
            + string.Join(',', Enumerable.Repeat("targets = TARGET_TYPE_FILE", size)) + ", targets = TARGET_TYPE_FIELD]; } } message N {"
            + Lines(size, static i => $"optional int32 f{i} = {(i < 18_000 ? i + 1 : i + 2_001)} [(A.x) = 1];") + "}",
        _ => "edition = \"2023\"; import \"google/protobuf/descriptor.proto\";\nextend google.protobuf.FeatureSet {" + Lines(size, static i => $"string e{i} = {i + 50_000};") + "}"
            + "extend google.protobuf.FileOptions { repeated int32 o = 50000; }" + Lines(size * 2, static _ => "option (o) = 1;")
            + Lines(size, static i => $"option features.(e{i}) = \"A_UNKNOWN\";"),
    };

    private static string Lines(int count, Func<int, string> line) => string.Join('\n', Enumerable.Range(0, count).Select(line));
}
