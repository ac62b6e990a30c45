using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Tests.Contracts;

namespace Mux.Description.Tests;

/// <summary>Descriptions of peers that are wrong, too large, or meant to harm.</summary>
public sealed class HostileSetTests
{
    [Fact]
    public void A_set_above_the_limit_of_bytes_is_refused() =>
        AssertRefused(new byte[(4 << 20) + 1], "the set of files has 4194305 bytes; allowed are 4194304");

    [Fact]
    public void More_types_than_the_limit_are_refused()
    {
        var file = File("m");
        file.MessageType.Add(Enumerable.Range(0, 10_001).Select(static i => new DescriptorProto { Name = $"M{i}" }));
        AssertRefused(file, "the file 'm' has more than 10000 types with the files before it");
    }

    [Fact]
    public void More_fields_than_the_limit_are_refused()
    {
        var file = File("m", new DescriptorProto { Name = "M" });
        file.MessageType[0].Field.Add(Enumerable.Range(1, 100_001).Select(static i => Field($"f{i}", i)));
        AssertRefused(file, "the message 'M' has more than 100000 fields, values and methods with the types before it");
    }

    [Fact]
    public void More_fields_of_one_message_than_the_limit_are_refused()
    {
        var file = File("m", new DescriptorProto { Name = "M" });
        file.MessageType[0].Field.Add(Enumerable.Range(1, 10_001).Select(static i => Field($"f{i}", i)));
        AssertRefused(file, "the message 'M' has 10001 fields; allowed are 10000");
    }

    [Fact]
    public void Oneofs_count_as_members()
    {
        var file = File("m", new DescriptorProto { Name = "M" });
        file.MessageType[0].OneofDecl.Add(Enumerable.Range(1, 100_001).Select(static i => new OneofDescriptorProto { Name = "o" }));
        AssertRefused(file, "has more than 100000 fields, values and methods");
    }

    [Theory]
    [InlineData("5\0")]
    [InlineData("+5")]
    [InlineData("Infinity")]
    public void Defaults_that_are_no_numbers_of_protobuf_are_refused(string value)
    {
        var field = new FieldDescriptorProto { Name = "f", Number = 1, Type = FieldDescriptorProto.Types.Type.Double, DefaultValue = value };
        AssertRefused(new FileDescriptorProto { Name = "m", MessageType = { new DescriptorProto { Name = "M", Field = { field } } } }, "with the default '");
    }

    [Fact]
    public void A_map_with_a_key_that_protobuf_does_not_have_is_refused()
    {
        var key = new FieldDescriptorProto { Name = "key", Number = 1, Type = FieldDescriptorProto.Types.Type.Double };
        var entry = new DescriptorProto { Name = "Entry", Field = { key, Field("value", 2) }, Options = new MessageOptions { MapEntry = true } };
        AssertRefused(File("m", entry), "is the entry of a map with a key of type Double; allowed are integers, bool and string");
    }

    [Fact]
    public void Messages_nested_deeper_than_the_limit_are_refused()
    {
        var message = new DescriptorProto { Name = "M" };
        for (int i = 0; i < 64; i++) message = new DescriptorProto { Name = "M", NestedType = { message } };
        AssertRefused(File("m", message), "has messages in messages more than 64 deep");
        _ = ContractSet.Read(new FileDescriptorSet { File = { File("m", message.NestedType[0]) } }.ToByteArray());
    }

    [Fact]
    public void Full_names_longer_than_the_limit_are_refused()
    {
        var message = new DescriptorProto { Name = new string('M', 255) };
        for (int i = 0; i < 4; i++) message = new DescriptorProto { Name = new string('M', 255), NestedType = { message } };
        AssertRefused(File("m", message), "has a type whose full name has 1279 characters; allowed are 1023");
    }

    [Theory]
    [InlineData("")]
    [InlineData("1st")]
    [InlineData("a.b")]
    [InlineData("a\u001b[2J")]
    public void Names_of_other_characters_are_refused(string name)
    {
        var refused = AssertRefused(File("m", new DescriptorProto { Name = name }), "allowed are 1 to 255 letters, digits and '_'");
        Assert.DoesNotContain('\u001b', refused);
    }

    [Fact]
    public void A_name_twice_is_refused() =>
        AssertRefused(File("m", new DescriptorProto { Name = "M" }, new DescriptorProto { Name = "M" }), "the file 'm' declares 'M', which is declared before");

    [Fact]
    public void A_file_twice_is_refused() => AssertRefused(new FileDescriptorSet { File = { File("m"), File("m") } }.ToByteArray(), "the file 'm' is in the set twice");

    [Fact]
    public void An_import_twice_is_refused() =>
        AssertRefused(new FileDescriptorProto { Name = "m", Dependency = { "a", "b", "a" } }, "the file 'm' imports 'a' twice");

    [Fact]
    public void Another_syntax_is_refused() =>
        AssertRefused(new FileDescriptorProto { Name = "m", Syntax = "proto4" }, "has the syntax 'proto4'; allowed are 'proto2', 'proto3' and 'editions'");

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(536_870_912)]
    public void Numbers_that_no_field_can_have_are_refused(int number) =>
        AssertRefused(File("m", new DescriptorProto { Name = "M", Field = { Field("f", number) } }), $"has the field 'f' with number {number}; allowed are 1 to 536870911");

    [Fact]
    public void A_number_twice_is_refused() =>
        AssertRefused(File("m", new DescriptorProto { Name = "M", Field = { Field("f", 1), Field("g", 1) } }), "has field 1 'g', but its number or name twice");

    [Fact]
    public void A_message_that_no_file_declares_is_refused()
    {
        var field = new FieldDescriptorProto { Name = "f", Number = 1, Type = FieldDescriptorProto.Types.Type.Message, TypeName = ".a.B" };
        AssertRefused(File("m", new DescriptorProto { Name = "M", Field = { field } }), "the message 'M' with the field 'f' names the message 'a.B', which no file declares");
    }

    [Fact]
    public void An_enum_without_values_is_refused() =>
        AssertRefused(new FileDescriptorProto { Name = "m", EnumType = { new EnumDescriptorProto { Name = "E" } } }, "the enum 'E' has no values");

    [Fact]
    public void Bytes_cut_anywhere_are_refused_or_a_smaller_set()
    {
        var whole = ContractSet.Of<IStore>().ToFileDescriptorSet();
        for (int length = 0; length < whole.Length; length++) Read(whole.AsSpan(0, length));
    }

    [Fact]
    public void Bytes_changed_anywhere_are_refused_or_another_set()
    {
        var whole = ContractSet.Of<IStore>().ToFileDescriptorSet();
        var random = new Random(20261126);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] changed = [.. whole];
            for (int j = random.Next(1, 4); j > 0; j--) changed[random.Next(changed.Length)] = (byte)random.Next(256);
            Read(changed);
        }
    }

    private static void Read(ReadOnlySpan<byte> bytes)
    {
        try
        {
            _ = ContractSet.Read(bytes);
        }
        catch (InvalidDataException exception)
        {
            Assert.StartsWith("The description cannot be read: ", exception.Message, StringComparison.Ordinal);
        }
    }

    private static FieldDescriptorProto Field(string name, int number) => new() { Name = name, Number = number, Type = FieldDescriptorProto.Types.Type.Int32 };

    private static FileDescriptorProto File(string name, params DescriptorProto[] messages) => new() { Name = name, Syntax = "proto3", MessageType = { messages } };

    private static string AssertRefused(FileDescriptorProto file, string problem) => AssertRefused(new FileDescriptorSet { File = { file } }.ToByteArray(), problem);

    private static string AssertRefused(byte[] bytes, string problem)
    {
        var message = Assert.Throws<InvalidDataException>(() => ContractSet.Read(bytes)).Message;
        Assert.Contains(problem, message, StringComparison.Ordinal);
        return message;
    }
}
