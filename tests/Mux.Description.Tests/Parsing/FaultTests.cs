using System.Globalization;
using Mux.Description.Proto.Parsing;
using Mux.Description.Proto;

namespace Mux.Description.Tests.Parsing;

/// <summary>What is said of mistakes, and where.</summary>
public sealed class FaultTests
{
    public static IEnumerable<TheoryDataRow<string, string, string>> Rows =>
        FaultRows.All.Select(static row => new TheoryDataRow<string, string, string>(row.Text, row.Position, row.Said));

    [Theory]
    [MemberData(nameof(Rows))]
    public void A_mistake_is_told_with_its_place_and_what_is_allowed(string text, string position, string said)
    {
        var (file, faults) = ParsedText.Parse(text);
        Assert.Null(file);
        var errors = faults.Where(static fault => fault.Severity == ProtoFaultSeverity.Error).ToList();
        var shown = string.Join('\n', errors);
        Assert.True(errors.Exists(fault => $"{fault.Position.Line},{fault.Position.Column}" == position && fault.Message.Contains(said, StringComparison.Ordinal)), $"{text}\n{shown}");
        Assert.All(errors, static fault => Assert.Equal("test.proto", fault.File));
    }

    [Fact]
    public async Task Protoc_refuses_the_same_files()
    {
        Assert.SkipUnless(ProtocFolder.HasProtoc, "Grpc.Tools has no protoc for this machine.");
        using var folder = new ProtocFolder();
        foreach (var name in ParsedText.Names) folder.Write(name, ParsedText.File(name));
        var accepted = new List<string>();
        foreach (var (text, _, _) in FaultRows.All)
        {
            folder.Write("test.proto", text);
            if ((await folder.Read("test.proto", TestContext.Current.CancellationToken)).Set is not null) accepted.Add(text);
        }

        Assert.Empty(accepted);
    }

    [Fact]
    public void A_file_goes_on_after_a_mistake()
    {
        var (_, faults) = ParsedText.Parse("syntax = \"proto3\";\nmessage M {\n  int32 = 1;\n  string b 2;\n}\nenum E { A == 0; B = 1; }\nmessage { }\nmassage N { int32 a = 1; }\n");
        Assert.Equal([3, 4, 6, 7, 8], faults.Select(static fault => fault.Position.Line));
    }

    [Fact]
    public void Faults_of_imported_files_name_the_file()
    {
        var (file, faults) = ParsedText.Parse("test.proto", static name => name switch
        {
            "test.proto" => "syntax = \"proto3\"; import \"a/b.proto\"; message M { B b = 1; }",
            "a/b.proto" => "syntax = \"proto3\";\nmessage B { C c = 1; }",
            _ => null,
        });
        Assert.Null(file);
        var fault = Assert.Single(faults);
        Assert.Equal(("a/b.proto", new ProtoPosition(2, 13)), (fault.File, fault.Position));
        Assert.StartsWith("a/b.proto(2,13): 'C' is not declared", fault.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Imports_in_a_circle_are_told()
    {
        var (file, faults) = ParsedText.Parse("a", static name => $"syntax = \"proto3\"; import \"{(name == "a" ? "b" : name == "b" ? "c" : "a")}\";");
        Assert.Null(file);
        Assert.Contains("circle: a -> b -> c -> a", Assert.Single(faults).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Long_circles_of_imports_are_cut_where_they_are_shown()
    {
        var (file, faults) = ParsedText.Parse("0", static name => name == "900" ? "import \"0\";" : $"import \"{int.Parse(name, CultureInfo.InvariantCulture) + 1}\";");
        Assert.Null(file);
        Assert.Contains("circle: 0 -> ... -> 900 -> 0.", Assert.Single(faults).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_import_that_nothing_uses_is_a_warning()
    {
        var (file, faults) = ParsedText.Parse("syntax = \"proto3\";\nimport \"google/protobuf/empty.proto\";\nimport public \"google/protobuf/any.proto\";");
        Assert.NotNull(file);
        var fault = Assert.Single(faults);
        Assert.Equal((ProtoFaultSeverity.Warning, 2), (fault.Severity, fault.Position.Line));
    }

    [Fact]
    public void Extensions_of_messages_are_a_warning_and_those_of_options_are_not()
    {
        var (file, faults) = ParsedText.Parse("extended2.proto", ParsedText.TryFile);
        Assert.NotNull(file);
        Assert.Equal([11, 19, 25], faults.Select(static fault => fault.Position.Line).Order());
        Assert.All(faults, static fault => Assert.Contains("Mux does not support extensions: those of mux.files.extended.Base are left out", fault.Message, StringComparison.Ordinal));
        Assert.Equal(["Base", "Scope"], file.Messages.Where(static message => message.Name != "Many").Select(static message => message.Name));
        Assert.Empty(ParsedText.Parse("services3.proto", ParsedText.TryFile).Faults);
    }

    [Theory]
    [InlineData("message M { extensions 100 to max; }\nextend M { optional int32 a = 100; optional int32 b = 101; }", "2,8")]
    [InlineData("message M { extensions 100 to max; extend M { optional int32 a = 100; } }", "1,43")]
    [InlineData("message M { extensions 100 to max; }\nmessage N { message O { extend .M { repeated group A = 100 { } } } }", "2,32")]
    [InlineData("message M { extensions 100 to max; }", null)]
    [InlineData("message M { extensions 100 to max [verification = UNVERIFIED]; }", null)]
    [InlineData("import \"google/protobuf/descriptor.proto\";\nextend google.protobuf.MessageOptions { optional int32 a = 50000; }", null)]
    [InlineData("import \"google/protobuf/descriptor.proto\";\nmessage M { extend google.protobuf.FeatureSet { optional M a = 9999; } }", null)]
    public void Extensions_are_told_where_they_name_a_message(string text, string? position)
    {
        var (file, faults) = ParsedText.Parse(text);
        Assert.NotNull(file);
        Assert.Equal(position is null ? [] : [position], faults.Select(static fault => $"{fault.Position.Line},{fault.Position.Column}"));
        Assert.All(faults, static fault => Assert.Equal(
            (ProtoFaultSeverity.Warning, "Mux does not support extensions: those of M are left out, and their values are unknown fields."), (fault.Severity, fault.Message)));
        Assert.Empty(file.Messages.SelectMany(static message => message.Fields));
        Assert.Equal(text.Contains("to max", StringComparison.Ordinal) ? [new ProtoRange(100, (1 << 29) - 1)] : [], file.Messages.SelectMany(static message => message.Extensions));
    }
}
