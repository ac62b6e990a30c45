using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Tests.Circles;
using Mux.Description.Tests.Contracts;
using Mux.Serialization.Oracles.Shapes;
using FeatureSet = Google.Protobuf.Reflection.FeatureSet;
using static Google.Protobuf.Reflection.FieldDescriptorProto.Types;

namespace Mux.Description.Tests;

/// <summary>Descriptors as the model of files, and back.</summary>
public sealed class DescriptorTests
{
    public static TheoryData<byte[]> Sets =>
        [ContractSet.Of<IStore>().ToFileDescriptorSet(), ContractSet.Of<ICircles>().ToFileDescriptorSet(), ContractSet.Of<IShapes>().ToFileDescriptorSet()];

    [Theory]
    [MemberData(nameof(Sets))]
    public void What_is_read_is_written_as_it_was(byte[] set) =>
        Assert.Equal(FileDescriptorSet.Parser.ParseFrom(set), FileDescriptorSet.Parser.ParseFrom(DescriptorWriter.Write(DescriptorReader.Read(set))));

    [Fact]
    public void Features_hold_for_what_is_within_their_place_until_another_one()
    {
        var file = Edition();
        file.Options = new() { Features = new() { FieldPresence = FeatureSet.Types.FieldPresence.Implicit, MessageEncoding = FeatureSet.Types.MessageEncoding.Delimited } };
        file.MessageType.Add(new DescriptorProto
        {
            Name = "M",
            Options = new() { Features = new() { RepeatedFieldEncoding = FeatureSet.Types.RepeatedFieldEncoding.Expanded } },
            Field =
            {
                Field("a", 1), Field("b", 2, FeatureSet.Types.FieldPresence.LegacyRequired), Field("c", 3, FeatureSet.Types.FieldPresence.Explicit),
                new FieldDescriptorProto { Name = "d", Number = 4, Label = Label.Repeated, Type = FieldDescriptorProto.Types.Type.Int32 },
                new FieldDescriptorProto { Name = "e", Number = 5, Type = FieldDescriptorProto.Types.Type.Message, TypeName = ".M" },
            },
        });
        file.EnumType.Add(new EnumDescriptorProto
        {
            Name = "E",
            Value = { new EnumValueDescriptorProto { Name = "X", Number = 1 } },
            Options = new() { Features = new() { EnumType = FeatureSet.Types.EnumType.Closed } },
        });

        var set = Read(file);
        var message = set.Messages["M"];
        Assert.Equal([false, true, true, false, true], message.Fields.Select(static field => field.HasPresence));
        Assert.Equal([false, true, false, false, false], message.Fields.Select(static field => field.IsRequired));
        Assert.False(message.Fields[3].IsPacked);
        Assert.Equal(FieldKind.Group, message.Fields[4].Kind);
        Assert.True(set.Enums["E"].IsClosed);

        var again = DescriptorReader.Read(DescriptorWriter.Write(set));
        Assert.Equal(message.Fields.Select(Facts), again.Messages["M"].Fields.Select(Facts));
        Assert.True(again.Enums["E"].IsClosed);
        Assert.Equal(FieldKind.Group, ContractSet.Read(DescriptorWriter.Write(set)).FindMessage("M")!.Find("e")!.Kind);
    }

    [Fact]
    public void Another_edition_is_refused()
    {
        var file = Edition();
        file.Edition = (global::Google.Protobuf.Reflection.Edition)1001;
        Assert.Contains("has the edition 1001; allowed is 1000", Assert.Throws<InvalidDataException>(() => Read(file)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Files_follow_those_that_they_import()
    {
        var files = new[] { File("a", "b", "c"), File("b", "c"), File("c"), File("d", "a") };
        Assert.Equal(["c", "b", "a", "d"], Read(files).Files.Select(static file => file.Name));
        var circle = Assert.Throws<InvalidDataException>(() => Read(File("a", "b"), File("b", "a"))).Message;
        Assert.Contains("the file 'b' imports files that import it", circle, StringComparison.Ordinal);
    }

    [Fact]
    public void A_chain_of_imports_as_long_as_the_limit_is_read() =>
        Assert.Equal("9999", Read([.. Enumerable.Range(0, 10_000).Select(static i => File($"{i}", $"{i + 1}"))]).Files[0].Name);

    [Theory]
    [InlineData("../a.proto")]
    [InlineData("/a.proto")]
    [InlineData("a//b.proto")]
    [InlineData("c:a.proto")]
    [InlineData("")]
    public void Paths_that_lead_elsewhere_are_refused(string path)
    {
        Assert.Contains("parts separated by '/'", Assert.Throws<InvalidDataException>(() => Read(File(path))).Message, StringComparison.Ordinal);
        Assert.Contains("parts separated by '/'", Assert.Throws<InvalidDataException>(() => Read(File("a", path))).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(FieldDescriptorProto.Types.Type.Int32, "1; }")]
    [InlineData(FieldDescriptorProto.Types.Type.Uint32, "-1")]
    [InlineData(FieldDescriptorProto.Types.Type.Bool, "yes")]
    [InlineData(FieldDescriptorProto.Types.Type.Double, "1 }")]
    [InlineData(FieldDescriptorProto.Types.Type.Message, "1")]
    public void A_default_that_is_no_value_of_the_type_is_refused(FieldDescriptorProto.Types.Type type, string text)
    {
        var file = new FileDescriptorProto { Name = "m", MessageType = { new DescriptorProto { Name = "M" } } };
        file.MessageType[0].Field.Add(new FieldDescriptorProto { Name = "f", Number = 1, Type = type, TypeName = ".M", DefaultValue = text });
        Assert.Contains($"has the field 'f' with the default '{text}'", Assert.Throws<InvalidDataException>(() => Read(file)).Message, StringComparison.Ordinal);
    }

    private static (FieldKind, bool, bool, bool) Facts(ProtoField field) => (field.Kind, field.HasPresence, field.IsRequired, field.IsPacked);

    private static ProtoSet Read(params FileDescriptorProto[] files) => DescriptorReader.Read(new FileDescriptorSet { File = { files } }.ToByteArray());

    private static FileDescriptorProto Edition() => new() { Name = "m", Syntax = "editions", Edition = global::Google.Protobuf.Reflection.Edition._2023 };

    private static FileDescriptorProto File(string name, params string[] imports) => new() { Name = name, Dependency = { imports } };

    private static FieldDescriptorProto Field(string name, int number, FeatureSet.Types.FieldPresence? presence = null)
    {
        var field = new FieldDescriptorProto { Name = name, Number = number, Type = FieldDescriptorProto.Types.Type.Int32 };
        if (presence is { } known) field.Options = new() { Features = new() { FieldPresence = known } };
        return field;
    }
}
