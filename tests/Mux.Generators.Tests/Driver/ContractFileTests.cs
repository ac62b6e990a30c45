using Microsoft.CodeAnalysis;
using Mux.Generators.Analysis;
using Mux.Generators.Diagnostics;

namespace Mux.Generators.Tests.Driver;

/// <summary>A contract that differs from its file is told where the code has what it is about, else in the file. The rules themselves are tested in Mux.Description.Tests.</summary>
public sealed class ContractFileTests
{
    private const string Path = "/src/Contracts/shop.proto";

    private const string Code = """
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        namespace shop;
        public enum Grade { None, High }
        [DataContract] public class Order
        {
            [DataMember(Order = 1)] public int Id { get; set; }
            [DataMember(Order = 2)] public string Name { get; set; } = "";
            [DataMember(Order = 3)] public Grade Rank { get; set; }
        }
        [MuxService("shop.Orders")]
        public interface IOrders
        {
            ValueTask<Order> Find(int id, string name, CancellationToken token);
            ValueTask Drop(Order order, CancellationToken token);
        }
        """;

    private const string File = """
        // Recorded by Mux
        syntax = "proto3";
        package shop;
        import "mux/options.proto";
        import "google/protobuf/empty.proto";
        enum Grade { Grade_None = 0; Grade_High = 1; }
        message Order { int32 id = 1; string name = 2; Grade rank = 3; }
        message Orders_FindRequest { int32 id = 1; string name = 2; }
        service Orders { option (mux.service) = { exact_fields: true };
          rpc Find(Orders_FindRequest) returns (Order) { FINGERPRINTS0 }
          rpc Drop(Order) returns (google.protobuf.Empty) { FINGERPRINTS1 }
        }
        """;

    /// <summary>What becomes of the code, and where it is told: a part of the code, or a line of the file.</summary>
    public static TheoryData<string, string, string, string> Changes => new()
    {
        { "MUX0070", "Drop(", "Delete(", "IOrders" },
        { "MUX0070", "shop.Orders", "shop.Sales", "9" },
        { "MUX0071", "ValueTask Drop", "[MuxMethod(OneWay = true)] ValueTask Drop", "Drop" },
        { "MUX0072", "int id, string name", "string name, int id", "Find" },
        { "MUX0073", "[DataMember(Order = 2)]", "", "Order" },
        { "MUX0075", "public int Id", "public float Id", "Id" },
        { "MUX0077", "public int Id { get; set; }", "public int[] Id { get; set; } = [];", "Id" },
        { "MUX0078", "public string Name", "public string? Name", "Name" },
        { "MUX0079", "None, High", "None, High = 5", "High" },
        { "MUX0083", "ValueTask Drop", "[MuxMethod(TimeoutMilliseconds = 5)] ValueTask Drop", "Drop" },
        { "MUX0084", "ValueTask Drop", "[MuxAuthorize] ValueTask Drop", "Drop" },
        { "MUX0085", "public int Id", "public int Key", "Key" },
        { "MUX0086", "public int Id { get; set; }", "public int Id { get; set; } [DataMember(Order = 9)] public int More { get; set; }", "More" },
        { "MUX0086", "None, High", "None, High, Highest", "Highest" },
    };

    [Theory]
    [MemberData(nameof(Changes))]
    public void A_change_is_told_where_it_is(string id, string from, string to, string place)
    {
        var code = Code.Replace(from, to, StringComparison.Ordinal);
        var diagnostic = Assert.Single(Run(code, (Path, Recorded)), static diagnostic => diagnostic.Id.StartsWith("MUX007", StringComparison.Ordinal) || diagnostic.Id.StartsWith("MUX008", StringComparison.Ordinal));
        Assert.Equal(id, diagnostic.Id);
        Assert.Equal(place, PlaceOf(diagnostic, code));
        if (id != "MUX0086") Assert.Contains(Path, diagnostic.AdditionalLocations.Append(diagnostic.Location).Select(static location => location.GetLineSpan().Path));
    }

    [Fact]
    public void A_contract_that_is_recorded_as_it_is_is_not_told() => Assert.Empty(Run(Code, (Path, Recorded)));

    [Fact]
    public void A_project_without_contract_files_is_not_told() => Assert.Empty(Run(Code, ("/src/vendor/shop.proto", File.Replace("int32 id", "bool id", StringComparison.Ordinal))));

    [Theory]
    [InlineData("syntax = \"proto3\"; package vendor; message Pay { } service Payments { rpc Pay(Pay) returns (Pay); }")]
    [InlineData("this is no protobuf")]
    [InlineData("<<<<<<< ours")]
    public void Files_of_others_are_not_told(string text) => Assert.Empty(Run(Code, (Path, Recorded), ("/src/Contracts/vendor/pay.proto", text)));

    [Theory]
    [InlineData("message Order {", "<<<<<<< ours\nmessage Order {", "7")]
    [InlineData("int32 id = 1; string name = 2; Grade", "int32 id = ; string name = 2; Grade", "7")]
    [InlineData("google/protobuf/empty.proto", "shop/other.proto", "5")]
    public void A_file_that_cannot_be_read_is_told_at_the_line(string from, string to, string line)
    {
        var found = Run(Code, (Path, Recorded.Replace(from, to, StringComparison.Ordinal)));
        Assert.All(found, static diagnostic => Assert.Equal("MUX0087", diagnostic.Id));
        Assert.Equal(line, PlaceOf(found[0], Code));
    }

    [Fact]
    public void Contracts_with_mistakes_are_not_told_to_be_gone()
    {
        var found = Run(Code.Replace("ValueTask Drop(", "void Drop(", StringComparison.Ordinal), (Path, Recorded));
        Assert.Equal(["MUX0007"], found.Select(static diagnostic => diagnostic.Id));
    }

    [Fact]
    public void Contracts_without_descriptions_are_compared_too()
    {
        var code = Code.Replace("public int Id", "public float Id", StringComparison.Ordinal);
        Assert.Equal(["MUX0075"], Run(code, [("MuxDescriptions", "false")], (Path, Recorded)).Select(static diagnostic => diagnostic.Id));
    }

    [Theory]
    [InlineData("false", DiagnosticSeverity.Warning)]
    [InlineData("", DiagnosticSeverity.Warning)]
    [InlineData("True", DiagnosticSeverity.Error)]
    public void What_is_not_recorded_is_a_warning_until_the_build_for_others(string isIntegration, DiagnosticSeverity severity)
    {
        var code = Code.Replace("None, High", "None, High, Highest", StringComparison.Ordinal);
        var diagnostic = Assert.Single(Run(code, [("ContinuousIntegrationBuild", isIntegration)], (Path, Recorded)));
        Assert.Equal(("MUX0086", severity), (diagnostic.Id, diagnostic.Severity));
    }

    [Fact]
    public void A_build_that_is_to_be_recorded_compares_nothing()
    {
        var code = Code.Replace("public int Id", "public float Id", StringComparison.Ordinal);
        Assert.Empty(Run(code, [("MuxContractCheck", "false")], (Path, Recorded)));
        Assert.NotEmpty(Run(code, [("MuxContractCheck", "true")], (Path, Recorded)));
    }

    [Theory]
    [MemberData(nameof(Changes))]
    public void A_change_says_at_its_end_how_to_accept_it(string id, string from, string to, string place)
    {
        Assert.NotEmpty(place);
        var found = Run(Code.Replace(from, to, StringComparison.Ordinal), (Path, Recorded)).First(diagnostic => diagnostic.Id == id);
        var command = id == "MUX0086" ? "record it with 'mux contract update' or the fix in the editor" : found.Severity == DiagnosticSeverity.Warning
            ? "or record it with 'mux contract update'" : "or accept it with 'mux contract update --accept \"reason\"'";
        Assert.EndsWith(command, found.GetMessage(null), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_page_about_a_change_says_how_to_accept_it()
    {
        var pages = System.IO.Path.Combine(Repository.Find(), "docs", "diagnostics");
        foreach (int rule in Enum.GetValues<Mux.Description.Proto.Comparing.ContractRule>().Select(static rule => (int)rule).Where(static rule => rule < 86))
        {
            var end = System.IO.File.ReadAllLines(System.IO.Path.Combine(pages, $"MUX00{rule}.md")).SkipWhile(static line => !line.StartsWith("**Accept it.**", StringComparison.Ordinal));
            Assert.Contains(rule is 78 or 83 or 84 ? "mux contract update" : "mux contract update --accept \"", string.Join('\n', end), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_edit_beside_the_contracts_compares_nothing()
    {
        var run = GeneratorRun.Of(GeneratorRun.Compile("Sample", [], Code), null, [new ContractText(Path, Recorded.Replace("int32 id = 1; string name = 2; Grade", "bool id = 1; string name = 2; Grade", StringComparison.Ordinal))]);
        var again = run.Driver.RunGenerators(run.Input.AddSyntaxTrees(Microsoft.CodeAnalysis.CSharp.CSharpSyntaxTree.ParseText("class Other { }", cancellationToken: TestContext.Current.CancellationToken)), TestContext.Current.CancellationToken);
        var steps = again.GetRunResult().Results[0].TrackedSteps[MuxGenerator.ContractsStep];
        Assert.NotEmpty(steps);
        Assert.All(steps.SelectMany(static step => step.Outputs), static output => Assert.Equal(IncrementalStepRunReason.Cached, output.Reason));
    }

    [Fact]
    public void Every_rule_has_a_diagnostic()
    {
        foreach (int rule in Enum.GetValues<Mux.Description.Proto.Comparing.ContractRule>().Select(static rule => (int)rule)) Assert.Equal($"MUX00{rule}", ContractDiagnostics.Of(rule).Id);
    }

    // With the fingerprints of the code, which the file cannot have by hand.
    private static string Recorded { get; } = Record();

    private static string Record()
    {
        var code = CodeContracts.Read(GeneratorRun.Compile("Sample", [], Code), default, TestContext.Current.CancellationToken)!;
        var text = File;
        var methods = code.ToFiles().Services.Single().Methods;
        for (int i = 0; i < methods.Count; i++)
        {
            var options = $"option (mux.method) = {{ request_fingerprint: {methods[i].Options.RequestFingerprint} response_fingerprint: {methods[i].Options.ResponseFingerprint} }};";
            text = text.Replace($"FINGERPRINTS{i}", options, StringComparison.Ordinal);
        }

        return text;
    }

    private static List<Diagnostic> Run(string code, params (string Path, string Text)[] files) => Run(code, [("MuxContractLevel", "Json")], files);

    private static List<Diagnostic> Run(string code, (string Name, string Value)[] properties, params (string Path, string Text)[] files)
    {
        var texts = files.Select(static file => (AdditionalText)new ContractText(file.Path, file.Text));
        return [.. GeneratorRun.Of(GeneratorRun.Compile("Sample", [], code), new ProjectProperties(properties), texts).Mistakes];
    }

    private static string PlaceOf(Diagnostic diagnostic, string code) => diagnostic.Location.SourceTree is null
        ? $"{diagnostic.Location.GetLineSpan().StartLinePosition.Line + 1}" : code.Substring(diagnostic.Location.SourceSpan.Start, diagnostic.Location.SourceSpan.Length);
}
