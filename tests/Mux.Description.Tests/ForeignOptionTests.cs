using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Label = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Label;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace Mux.Description.Tests;

/// <summary>Options of other organizations may have the number of Mux's.</summary>
public sealed class ForeignOptionTests
{
    private const int Number = 51000;

    public static TheoryData<string, bool> Places
    {
        get
        {
            var places = new TheoryData<string, bool>();
            foreach (var extendee in new[] { "FieldOptions", "MethodOptions", "ServiceOptions" })
            {
                places.Add(extendee, false);
                places.Add(extendee, true);
            }

            return places;
        }
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void A_set_with_options_of_others_is_read_without_them(string extendee, bool isNested)
    {
        foreach (var value in Values())
        {
            var set = ContractSet.Read(SetOf(value, extendee, isNested, "other.proto", ofService: value));
            Assert.NotNull(set.FindMessage("M")!.Find("a"));
            var model = DescriptorReader.Read(SetOf(value, extendee, isNested, "other.proto", ofService: value));
            Assert.Equal((0, 0, null), OptionsOf(model));
            Assert.Null(Assert.Single(model.Services).WireName);
        }
    }

    [Fact]
    public void Options_of_Mux_are_read_where_a_file_imports_them_and_where_no_other_file_has_their_number()
    {
        var bits = new WireWriter().Message(Number, new WireWriter().Number(1, 16).Text(3, "3")).ToArray();
        Assert.Equal((16, 0, "3"), OptionsOf(DescriptorReader.Read(SetOf(bits, "FieldOptions", false, "mux/options.proto"))));
        Assert.Equal((16, 0, "3"), OptionsOf(DescriptorReader.Read(SetOf(bits, "MessageOptions", false, "other.proto"))));
        Assert.Equal((0, 0, null), OptionsOf(DescriptorReader.Read(SetOf(bits, "FieldOptions", false, "other.proto"))));
    }

    [Theory]
    [InlineData("absent.proto", 0)]
    [InlineData("shows-absent.proto", 0)]
    [InlineData("shows-owner.proto", 0)]
    [InlineData("owner.proto", 0)]
    [InlineData("hides-owner.proto", 16)]
    [InlineData("hides-absent.proto", 16)]
    [InlineData("shows-mux.proto", 16)]
    [InlineData("mux/options.proto", 16)]
    [InlineData("google/protobuf/descriptor.proto", 16)]
    [InlineData("google/protobuf/timestamp.proto", 16)]
    public void Options_are_those_of_Mux_unless_a_file_sees_or_may_see_those_of_others(string import, int bits)
    {
        var options = new WireWriter().Message(Number, new WireWriter().Number(1, 16)).ToArray();
        var set = FileDescriptorSet.Parser.ParseFrom(SetOf(options, "FieldOptions", false, import));
        var owner = set.File[0];
        owner.Name = "owner.proto";
        owner.Dependency[0] = "shows-descriptor.proto";
        set.File.Add(Importing("shows-descriptor.proto", "google/protobuf/descriptor.proto", isPublic: true));
        set.File.Add(Importing("shows-absent.proto", "shows-more.proto", isPublic: true));
        set.File.Add(Importing("shows-more.proto", "absent.proto", isPublic: true));
        set.File.Add(Importing("shows-owner.proto", "owner.proto", isPublic: true));
        set.File.Add(Importing("shows-mux.proto", "mux/options.proto", isPublic: true));
        set.File.Add(Importing("hides-owner.proto", "owner.proto", isPublic: false));
        set.File.Add(Importing("hides-absent.proto", "absent.proto", isPublic: false));

        Assert.Equal((bits, 0, null), OptionsOf(DescriptorReader.Read(set.ToByteArray())));
    }

    [Fact]
    public void Files_that_show_each_other_are_refused()
    {
        var options = new WireWriter().Message(Number, new WireWriter().Number(1, 16)).ToArray();
        var set = FileDescriptorSet.Parser.ParseFrom(SetOf(options, "FieldOptions", false, "one.proto"));
        set.File.Add(Importing("one.proto", "two.proto", isPublic: true));
        set.File.Add(Importing("two.proto", "one.proto", isPublic: true));

        Assert.Throws<InvalidDataException>(() => DescriptorReader.Read(set.ToByteArray()));
    }

    [Theory]
    [InlineData(Type.Int32, 16)]
    [InlineData(Type.Uint32, 16)]
    [InlineData(Type.Fixed64, 16)]
    [InlineData(Type.Sint32, 16)]
    [InlineData(Type.String, 0)]
    [InlineData(Type.Bool, 0)]
    [InlineData(Type.Double, 0)]
    [InlineData(Type.Message, 0)]
    public void Only_integers_have_bits(Type type, int expected)
    {
        var bits = new WireWriter().Message(Number, new WireWriter().Number(1, 16).Number(2, 8)).ToArray();
        var set = SetOf(bits, "MessageOptions", false, "other.proto", type);
        Assert.Equal((expected, 0, null), OptionsOf(DescriptorReader.Read(set)));
    }

    private static FileDescriptorProto Importing(string name, string import, bool isPublic)
    {
        var file = new FileDescriptorProto { Name = name, Syntax = "proto3", Dependency = { import } };
        if (isPublic) file.PublicDependency.Add(0);
        return file;
    }

    private static (int, int, string?) OptionsOf(ProtoSet set)
    {
        var field = set.Messages["M"].Fields[0];
        return (field.Bits, field.KeyBits, field.Absent);
    }

    // Numbers, texts that are no messages, and a message with other fields.
    private static IEnumerable<byte[]> Values() =>
    [
        new WireWriter().Number(Number, 7).ToArray(), new WireWriter().Text(Number, "team-a").ToArray(), new WireWriter().Text(Number, "\b\u0010").ToArray(),
        new WireWriter().Message(Number, new WireWriter().Text(1, "x").Number(3, 1).Number(8, 2)).ToArray(),
    ];

    private static byte[] SetOf(byte[] value, string extendee, bool isNested, string import, Type type = Type.Int32, byte[]? ofService = null)
    {
        var extension = new FieldDescriptorProto { Name = "owner", Number = Number, Label = Label.Optional, Type = Type.Int32, Extendee = $".google.protobuf.{extendee}" };
        var other = new FileDescriptorProto { Name = "other.proto", Dependency = { "google/protobuf/descriptor.proto" } };
        if (isNested) other.MessageType.Add(new DescriptorProto { Name = "Outer", NestedType = { new DescriptorProto { Name = "Inner", Extension = { extension } } } });
        else other.Extension.Add(extension);
        var file = new FileDescriptorProto
        {
            Name = "m.proto",
            Syntax = "proto3",
            Dependency = { import },
            MessageType =
            {
                new DescriptorProto
                {
                    Name = "M",
                    Field =
                    {
                        new FieldDescriptorProto
                        {
                            Name = "a",
                            Number = 1,
                            Type = type,
                            TypeName = type == Type.Message ? ".M" : "",
                            Options = FieldOptions.Parser.ParseFrom(value),
                        },
                    },
                },
            },
            Service =
            {
                new ServiceDescriptorProto
                {
                    Name = "S",
                    Options = ServiceOptions.Parser.ParseFrom(ofService ?? []),
                    Method = { new MethodDescriptorProto { Name = "Do", InputType = ".M", OutputType = ".M", Options = MethodOptions.Parser.ParseFrom(ofService ?? []) } },
                },
            },
        };
        return new FileDescriptorSet { File = { other, file } }.ToByteArray();
    }
}
