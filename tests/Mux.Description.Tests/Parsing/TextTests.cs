using Mux.Description.Proto;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Parsing;

/// <summary>What a file keeps of its text that descriptors do not have, and where it stands.</summary>
public sealed class TextTests
{
    [Fact]
    public void Comments_before_elements_are_kept_without_marks()
    {
        var file = ParsedText.Valid("""
            // The file.
            // Two lines.

            /* And a
             * block. */
            syntax = "proto3";
            // Not of the package.

            package a; // behind the package

            // Detached.

            /// A message.
            //   Indented.
            message M { // behind a brace
              /* One. */ int32 one = 1; // behind one
              // Two.
              int32 two = 2;
              int32 three = 3;

              /*
               * A block
               *   of lines.
               */
              oneof choice {
                // Four.
                int32 four = 4;
              }
            }

            // An enum.
            enum E {
              // Zero.
              ZERO = 0;
            }

            // A service.
            service S {
              // A method.
              rpc Call(M) returns (M);
            }
            """);
        Assert.Equal("The file.\nTwo lines.\n\nAnd a\nblock.", file.Comment);
        var message = file.Messages[0];
        Assert.Equal("/ A message.\n  Indented.", message.Comment);
        Assert.Equal(["One.", "Two.", null, "Four."], message.Fields.Select(static field => field.Comment));
        Assert.Equal("A block\n  of lines.", message.Oneofs[0].Comment);
        Assert.Equal(("An enum.", "Zero."), (file.Enums[0].Comment, file.Enums[0].Values[0].Comment));
        Assert.Equal(("A service.", "A method."), (file.Services[0].Comment, file.Services[0].Methods[0].Comment));
    }

    [Fact]
    public void Elements_know_where_their_names_stand()
    {
        var file = ParsedText.Valid("syntax = \"proto3\";\nmessage M {\n\tint32 a = 1;\n}\nenum E { Z = 0; }\nservice S { rpc C(M) returns (M); }");
        Assert.Equal([new(2, 9), new(3, 8), new(5, 6), new(5, 10), new(6, 9), new ProtoPosition(6, 17)], new ProtoElement[]
        {
            file.Messages[0], file.Messages[0].Fields[0], file.Enums[0], file.Enums[0].Values[0], file.Services[0], file.Services[0].Methods[0],
        }.Select(static element => element.Position));
    }

    [Fact]
    public void Values_in_braces_have_comments_of_their_own() => Assert.Equal("wire", ParsedText.Valid("""
        syntax = "proto3";
        import "mux/options.proto";
        service S {
          option (mux.service) = { # } name: "x"
            name: "wire" // of the file
          };
        }
        """).Services[0].WireName);

    [Fact]
    public void Files_of_Mux_compile_with_compilers_that_do_not_know_optional_fields_of_proto3() =>
        Assert.All(["mux/options.proto", "mux/bodies.proto"], static name => Assert.DoesNotContain("optional ", BuiltInFiles.Read(name)!, StringComparison.Ordinal));

    [Fact]
    public void A_file_without_a_syntax_is_proto2() => Assert.Equal(ProtoSyntax.Proto2, ParsedText.Valid("message M { optional int32 a = 1; }").Syntax);

    [Fact]
    public void A_mark_of_the_byte_order_is_no_text() => Assert.Single(ParsedText.Valid("\uFEFFsyntax = \"proto3\"; message M { }").Messages);

    [Fact]
    public void Options_of_Mux_are_read_in_braces_and_with_dots()
    {
        var (file, faults) = ParsedText.Parse("services3.proto", ParsedText.TryFile);
        Assert.Empty(faults);
        var calls = file!.Services[0];
        Assert.Equal("calls.wire", calls.WireName);
        Assert.True(file.Services[1].IsCallback);
        var options = calls.Methods.Find(static method => method.Name == "Options")!.Options;
        Assert.Equal(("options-wire", true, 2500, 4096, 2, "raw"),
            (options.WireName, options.IsOneWay, options.TimeoutMilliseconds, options.MaxMessageBytes, options.Priority, options.Format));
        Assert.Equal(("mux.files.calls.Secret", uint.MaxValue, 16u), (options.Arguments, options.RequestFingerprint, options.ResponseFingerprint));
        Assert.Equal([new(7, "mux.files.calls.Secret"), new ProtoErrorDetail(8, null)], options.Details);
        Assert.Equal(["adult", "one", "two"], options.Authorization!.Policies);
        Assert.Equal(["clerk, manager"], options.Authorization.Roles);
        Assert.Equal((true, false), (options.Authorization.RequiresUser, options.Authorization.AllowsAnonymous));
        Assert.Equal(["mux.files.calls.Back"], options.Callbacks);

        var dotted = calls.Methods.Find(static method => method.Name == "Dotted")!.Options;
        Assert.Equal(("dotted-wire", false, 10, 1, true), (dotted.WireName, dotted.IsOneWay, dotted.TimeoutMilliseconds, dotted.Priority, dotted.Authorization!.AllowsAnonymous));
        Assert.Equal([new(1, null), new ProtoErrorDetail(2, "m")], dotted.Details);
        Assert.Equal(["one", "two"], dotted.Callbacks);
    }

    [Fact]
    public void Files_of_the_caller_come_before_those_that_are_built_in()
    {
        var (file, faults) = ParsedText.Parse("a.proto", static name => name switch
        {
            "a.proto" => "syntax = \"proto3\"; import \"google/protobuf/empty.proto\"; message M { google.protobuf.Own own = 1; }",
            "google/protobuf/empty.proto" => "syntax = \"proto3\"; package google.protobuf; message Own { }",
            _ => null,
        });
        Assert.Empty(faults);
        Assert.Equal("google.protobuf.Own", file!.Messages[0].Fields[0].TypeName);
    }
}
