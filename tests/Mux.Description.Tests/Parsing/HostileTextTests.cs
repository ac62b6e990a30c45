using System.Text;
using Mux.Description.Proto.Parsing;

namespace Mux.Description.Tests.Parsing;

/// <summary>Files that are meant to harm.</summary>
public sealed class HostileTextTests
{
    private const string Three = "syntax = \"proto3\";\n";

    [Fact]
    public void A_file_above_the_limit_of_characters_is_refused() =>
        AssertRefused(new string(' ', (4 << 20) + 1), "has 4194305 characters; allowed are 4194304");

    [Fact]
    public void Messages_deeper_than_the_limit_are_refused()
    {
        AssertRefused(Three + Nested("message M { ", 65, "} "), "more than 64 deep");
        Assert.Empty(ParsedText.Parse(Three + Nested("message M { ", 64, "} ")).Faults);
        AssertRefused(Three + Nested("message M { ", 200_000, "} "), "more than 64 deep");
    }

    [Fact]
    public void Values_deeper_than_the_limit_are_refused() =>
        AssertRefused(Three + "option (a) = { " + Nested("a { ", 200_000, "} ") + "};", "more than 64 deep");

    [Fact]
    public void More_types_than_the_limit_are_refused() =>
        AssertRefused(Three + Lines(10_001, static i => $"message M{i} {{ }}"), "more than 10000 messages");

    [Fact]
    public void More_members_than_the_limit_are_refused() =>
        AssertRefused(Three + "message M {" + Lines(100_001, static i => $"int32 f{i} = {(i < 18_000 ? i + 1 : i + 2_001)};") + "}", "more than 100000 fields");

    [Fact]
    public void Types_of_all_files_count_together()
    {
        var (file, faults) = ParsedText.Parse("0", static name => int.Parse(name, System.Globalization.CultureInfo.InvariantCulture) is var i && i > 20 ? null
            : Three + (i < 20 ? $"import \"{i + 1}\";" : string.Empty) + Lines(501, j => $"message M{i}_{j} {{ }}"));
        Assert.Null(file);
        Assert.Contains(faults, static fault => fault.Message.Contains("more than 10000 messages", StringComparison.Ordinal));
    }

    [Fact]
    public void Imports_without_end_are_refused()
    {
        var (file, faults) = ParsedText.Parse("0", static name => $"import \"{name}0\";");
        Assert.Null(file);
        Assert.Contains(faults, static fault => fault.Message.Contains("more than 1000", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("../a.proto")]
    [InlineData("/etc/passwd")]
    [InlineData("a//b.proto")]
    [InlineData("a/./b.proto")]
    [InlineData("a\\b.proto")]
    [InlineData("c:a.proto")]
    [InlineData("")]
    public void Files_are_not_asked_for_by_paths_that_lead_out_of_the_folder(string path)
    {
        var asked = new List<string>();
        var faults = new List<ProtoFault>();
        Assert.Null(ProtoLoader.Load("test.proto", name =>
        {
            asked.Add(name);
            return name == "test.proto" ? $"import \"{path.Replace("\\", "\\\\", StringComparison.Ordinal)}\";" : string.Empty;
        }, faults));
        Assert.Equal(["test.proto"], asked);
        Assert.Contains("none of them empty, '.' or '..'", Assert.Single(faults).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void More_faults_than_the_limit_are_not_told()
    {
        var (file, faults) = ParsedText.Parse(Three + Lines(50_000, static _ => "x y;"));
        Assert.Null(file);
        Assert.Equal(1_000, faults.Count);
    }

    [Fact]
    public void An_error_after_a_thousand_warnings_refuses_the_file_and_is_told()
    {
        var warned = Three + "message R {" + Lines(1_500, static i => $"reserved \"{i}\";") + "}";
        var (file, faults) = ParsedText.Parse(warned);
        Assert.NotNull(file);
        Assert.Equal(1_500, file.Messages[0].ReservedNames.Count);
        Assert.Equal(1_000, faults.Count);
        (file, faults) = ParsedText.Parse(warned + "message M { N n = 1; }");
        Assert.Equal(1_000, faults.Count);
        Assert.Null(file);
        Assert.Contains(faults, static fault => fault.Severity == ProtoFaultSeverity.Error);
    }

    [Theory]
    [InlineData("message ", "{ }")]
    [InlineData("message M { int32 ", " = 1; }")]
    [InlineData("package ", ";")]
    public void Names_longer_than_the_limit_are_refused(string before, string after) =>
        AssertRefused(Three + before + new string('a', 256) + after, "256 characters; allowed are 255");

    [Fact]
    public void Full_names_longer_than_the_limit_are_refused() =>
        AssertRefused(Three + string.Concat(Enumerable.Repeat($"message {new string('a', 255)} {{ ", 5)) + "} } } } }", "allowed are 1023");

    [Fact]
    public void Packages_deeper_than_the_limit_are_refused() =>
        AssertRefused(Three + "package " + string.Join('.', Enumerable.Repeat("a", 101)) + ";", "101 parts; allowed are 100");

    [Theory]
    [InlineData("")]
    [InlineData("\0")]
    [InlineData("\uFEFF")]
    [InlineData("{")]
    [InlineData("\"")]
    [InlineData("/*")]
    [InlineData("option (")]
    [InlineData("option a = {")]
    [InlineData("option a = { b: [")]
    [InlineData("message M { oneof")]
    [InlineData("message M { map<")]
    [InlineData("extend M {")]
    [InlineData("message M { reserved")]
    [InlineData("service S { rpc A(stream")]
    [InlineData("message M { optional string a = 1 [default = \"\\ud800\"]; }")]
    public void Texts_cut_short_are_no_exceptions(string text) => _ = ParsedText.Parse(text);

    // Each text takes far longer if some work is done for each pair of its parts.
    [Theory]
    [InlineData("ranges")]
    [InlineData("extension ranges with options")]
    [InlineData("comments")]
    [InlineData("scopes")]
    [InlineData("oneofs")]
    [InlineData("overlaps")]
    [InlineData("extensions of many ranges")]
    [InlineData("strings")]
    public async Task Work_grows_with_the_text_alone(string kind)
    {
        var text = kind switch
        {
            "ranges" => Three + "message M { reserved " + string.Join(',', Enumerable.Range(1, 45_000).Select(static i => i * 2)) + ";" +
                Lines(45_000, static i => $"int32 f{i} = {(i * 2) + (i * 2 is > 18_990 and < 20_010 ? 200_001 : 1)};") + "}",
            "extension ranges with options" => "message M { extensions " + string.Join(',', Enumerable.Range(1, 40_000)) + " [" +
                string.Join(',', Enumerable.Repeat("declaration = { number: 1 }", 20_000)) + "]; }",
            "comments" => Three + Lines(400_000, static _ => "// a") + "message M { }",
            "scopes" => Three + $"package {string.Join('.', Enumerable.Range(0, 100).Select(static i => $"p{i}"))};" + "message M {" +
                Lines(15_000, static i => $"M f{i} = {i + 1};") + "}",
            "oneofs" => Three + "message M {" + Lines(15_000, static i => $"oneof o{i} {{ int32 f{i} = {i + 1}; }}") + "}",
            "overlaps" => Three + "message M { reserved " + string.Join(',', Enumerable.Repeat("1 to 100", 90_000)) + "; }",
            "extensions of many ranges" => "message M {" + Lines(30_000, static i => $"extensions {(i + 1) * 2};") + "}" +
                "extend M {" + Lines(30_000, static i => $"optional int32 e{i} = {(i + 1) * 2};") + "}",
            _ => "option java_package = " + Lines(400_000, static _ => "\"a\"") + ";",
        };
        await Task.Run(() => ParsedText.Parse(text), TestContext.Current.CancellationToken).WaitAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken);
    }

    private static string Lines(int count, Func<int, string> line)
    {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) text.Append(line(i)).Append('\n');
        return text.ToString();
    }

    private static string Nested(string open, int depth, string close) => string.Concat(Enumerable.Repeat(open, depth)) + string.Concat(Enumerable.Repeat(close, depth));

    private static void AssertRefused(string text, string problem)
    {
        var (file, faults) = ParsedText.Parse(text);
        Assert.Null(file);
        Assert.Contains(faults, fault => fault.Message.Contains(problem, StringComparison.Ordinal));
    }
}
