using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Proto;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Printing;
using Location = Google.Protobuf.Reflection.SourceCodeInfo.Types.Location;

namespace Mux.Description.Tests;

/// <summary>Comments travel with descriptors, in the form that protoc gives them.</summary>
public sealed class CommentTests
{
    private const string Text = """
        // The file.
        //
        // And more.

        syntax = "proto3";

        // A service.
        service S {
          // A method.
          rpc Call(M) returns (M);
        }

        // A message
        //   of two lines.
        message M {
          // One.
          int32 one = 1;
          optional int32 two = 2;

          // A choice.
          oneof choice {
            // Three.
            int32 three = 3;
          }

          // Nested.
          message N {}
        }

        // An enum.
        enum E {
          // Zero.
          ZERO = 0;
        }

        """;

    [Fact]
    public void Comments_of_a_text_are_in_the_text_that_is_made_of_its_descriptors() =>
        Assert.Equal(Text.ReplaceLineEndings("\n"), ContractSet.ReadProto("m.proto", static name => name == "m.proto" ? Text : null).ToProtoFiles()["m.proto"]);

    [Fact]
    public void Compilers_find_comments_by_the_path_of_the_element()
    {
        var set = ContractSet.ReadProto("m.proto", static name => name == "m.proto" ? Text : null).ToFileDescriptorSet();
        var file = FileDescriptor.BuildFromByteStrings(FileDescriptorSet.Parser.ParseFrom(set).File.Select(static file => file.ToByteString()))[0];
        Assert.Equal(" A message\n   of two lines.\n", file.MessageTypes[0].Declaration.LeadingComments);
        Assert.Equal(" One.\n", file.MessageTypes[0].FindFieldByNumber(1).Declaration.LeadingComments);
        Assert.Equal(" Zero.\n", file.EnumTypes[0].Values[0].Declaration.LeadingComments);
        Assert.Equal(" A method.\n", file.Services[0].Methods[0].Declaration.LeadingComments);
        Assert.Equal((17, 17), (file.MessageTypes[0].FindFieldByNumber(1).Declaration.StartLine, file.MessageTypes[0].FindFieldByNumber(1).Declaration.EndLine));
        Assert.Equal(" The file.\n\n And more.\n", file.ToProto().SourceCodeInfo.Location.Single(static location => location.Path is [12]).LeadingComments);
    }

    [Fact]
    public void Comments_of_oneofs_are_found_by_the_index_that_their_descriptor_has()
    {
        var file = File(new Location { Path = { 4, 0, 8, 1 }, LeadingComments = "used" });
        file.MessageType[0].OneofDecl.Add(new OneofDescriptorProto { Name = "unused" });
        file.MessageType[0].OneofDecl.Add(new OneofDescriptorProto { Name = "o" });
        file.MessageType[0].Field.Add(new FieldDescriptorProto { Name = "f", Number = 1, OneofIndex = 1, Type = FieldDescriptorProto.Types.Type.Int32 });
        Assert.Equal("used", Read(file).Messages[0].Oneofs[0].Comment);
    }

    [Fact]
    public void A_file_without_its_language_has_the_comments_before_its_first_statement()
    {
        var file = File(
            new Location { Span = { 0, 0, 9, 0 } }, new Location { Path = { 5, 0 }, Span = { 7, 0, 3 }, LeadingComments = "later" },
            new Location { Path = { 4, 0 }, Span = { 3, 0, 3 }, LeadingDetachedComments = { " one\n", "\n" }, LeadingComments = "two\n\n" });
        Assert.Equal(("one\n\ntwo", "two"), (Read(file).Comment, Read(file).Messages[0].Comment));
        file.SourceCodeInfo.Location.Add(new Location { Path = { 12 }, Span = { 4, 0, 3 } });
        Assert.Null(Read(file).Comment);
    }

    [Theory]
    [InlineData("a\0message N { }")]
    [InlineData("a\rmessage N { }")]
    [InlineData("a\u2028message N { }")]
    [InlineData("a\u0085message N { }")]
    [InlineData("a\u001bmessage N { }")]
    public void Characters_that_end_a_comment_elsewhere_are_spaces(string comment)
    {
        var file = Read(File(new Location { Path = { 4, 0 }, LeadingComments = comment }));
        Assert.Equal("a message N { }", file.Messages[0].Comment);
        Assert.EndsWith("\n// a message N { }\nmessage M {}\n", ProtoPrinter.Print(file), StringComparison.Ordinal);
    }

    [Fact]
    public void Places_that_the_file_does_not_have_are_ignored()
    {
        var paths = new int[][] { [], [4], [4, 1], [4, -1], [4, int.MaxValue], [7, 0], [4, 0, 2, 0], [4, 0, 9, 0], [5, 0, 2, 0], [4, 0, 2], [.. Enumerable.Repeat(4, 1_000_000)] };
        var read = Read(File([.. paths.Select(static path => new Location { Path = { path }, Span = { 1 }, LeadingComments = "x" })]));
        Assert.Null(read.Messages[0].Comment);
    }

    [Fact]
    public void A_path_of_single_numbers_is_read_as_one_block_is()
    {
        byte[] single = [0x08, 4, 0x08, 0, 0x1A, 1, (byte)'x']; // path 4, path 0, "x"
        var comments = new WireWriter().Bytes(1, single);
        var file = new WireWriter().Text(1, "m").Message(4, new WireWriter().Text(1, "M")).Message(9, comments);
        Assert.Equal("x", DescriptorReader.Read(new WireWriter().Message(1, file).ToArray()).Files[0].Messages[0].Comment);
    }

    [Fact]
    public void More_lines_than_the_limit_are_refused()
    {
        var file = File(new Location { Path = { 4, 0 }, LeadingComments = new string('\n', 50_000) }, new Location { Path = { 4, 0 }, LeadingComments = new string('\n', 49_999) });
        Assert.Contains(
            "the file 'm' has more than 100000 lines of comments", Assert.Throws<InvalidDataException>(() => Read(file)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_text_with_more_comments_than_readers_allow_is_a_set_without_comments()
    {
        var text = new StringBuilder("syntax = \"proto3\";\n").Insert(0, "// a\n", 100_001).Append("message M { }").ToString();
        var set = ContractSet.ReadProto("m.proto", name => name == "m.proto" ? text : null);
        Assert.Equal("syntax = \"proto3\";\n\nmessage M {}\n", set.ToProtoFiles()["m.proto"]);
    }

    private static FileDescriptorProto File(params Location[] locations) => new()
    {
        Name = "m",
        MessageType = { new DescriptorProto { Name = "M" } },
        SourceCodeInfo = new SourceCodeInfo { Location = { locations } },
    };

    private static ProtoFile Read(FileDescriptorProto file) => DescriptorReader.Read(new FileDescriptorSet { File = { file } }.ToByteArray()).Files[0];
}
