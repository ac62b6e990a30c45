using Mux.Description.Proto;
using Mux.Description.Proto.Parsing;
using Mux.Description.Proto.Printing;
using Mux.Description.Tests.Parsing;

namespace Mux.Description.Tests.Exports;

/// <summary>Files that are written and read again say the same.</summary>
public sealed class PrintedFileTests
{
    public static IEnumerable<TheoryDataRow<string>> Names => ParsedText.Names.Select(static name => new TheoryDataRow<string>(name));

    [Theory]
    [MemberData(nameof(Names))]
    public void A_file_that_is_written_and_read_again_is_the_same(string name)
    {
        var file = Read(name, ParsedText.TryFile);
        var text = ProtoPrinter.Print(file);
        var again = Read(name, path => path == name ? text : ParsedText.TryFile(path));
        Assert.Equal(Facts(file), Facts(again));
        Assert.Equal(text, ProtoPrinter.Print(again));
    }

    [Fact]
    public void A_field_that_is_no_group_may_have_the_message_of_one()
    {
        const string Text = "syntax = \"proto2\";\n\nmessage M {\n  optional group A = 1 {}\n  optional A b = 2;\n}\n";
        Assert.Equal(Text, ProtoPrinter.Print(Read("m", _ => Text)));
    }

    [Fact]
    public void A_text_in_the_form_of_this_project_is_written_as_it_was()
    {
        const string Text = """
            syntax = "proto2";

            package a;

            import "mux/options.proto";

            option csharp_namespace = "A";

            service S {
              option (.mux.service) = {
                name: "s"
                exact_fields: true
              };

              rpc Call(mux) returns (stream a.stream);
            }

            message mux {
              optional string text = 1 [default = "\"\\\n\033\177é", json_name = "t\"\\"];
              optional bytes bytes = 2 [default = "\"\\\033\377\'"];
              optional a.string string = 3;
              repeated int32 packed = 4 [packed = true];
              optional double infinite = 5 [default = -inf];
              optional int32 narrow = 6 [deprecated = true, (.mux.field).bits = 16, (.mux.field).absent = "\"3"];
              map<int32, uint32> map = 7 [(.mux.field).bits = 8, (.mux.field).key_bits = 16];
            }

            message stream {}

            message string {}

            enum E {
              reserved 5 to 536870911, 536870912 to max;
              reserved "X";
              ZERO = 0;
            }

            """;
        Assert.Equal(Text.ReplaceLineEndings("\n"), ProtoPrinter.Print(Read("m", static name => name == "m" ? Text : null)));
    }

    [Fact]
    public void Quotes_in_defaults_of_descriptors_do_not_end_the_text()
    {
        var field = new ProtoField { Kind = FieldKind.Bytes, Default = "a\"b\\" };
        Assert.Equal("\"a\\\"b\\\\\"", ProtoLiteral.Default(field.Kind, field.Default!));
    }

    // A group of another message is written in the edition, hence the language may change. Message sets have more numbers, without the option that the model does not keep.
    private static IEnumerable<string> Facts(ProtoFile file) =>
        ProtoShape.Of(file).Skip(1).Select(static fact => fact.Replace("-2147483646", "-536870911", StringComparison.Ordinal)).Order(StringComparer.Ordinal);

    private static ProtoFile Read(string name, Func<string, string?> readFile)
    {
        var faults = new List<ProtoFault>();
        var set = ProtoLoader.Load(name, readFile, faults);
        Assert.True(set is not null, string.Join('\n', faults));
        return set.Files[^1];
    }
}
