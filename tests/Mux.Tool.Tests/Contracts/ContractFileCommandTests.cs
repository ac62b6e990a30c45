using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>What <c>mux contract</c> writes, compares and refuses. The contracts are those of the tool itself, such as <c>mux.Echo</c>.</summary>
public sealed class ContractFileCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-contract-").FullName;

    // A copy has no debug information next to it, which would name sources that may have changed since the tool was built.
    public ContractFileCommandTests() => File.Copy(Path.Combine(AppContext.BaseDirectory, "Mux.Tool.dll"), Assembly);

    private string Assembly => Path.Combine(_folder, "Mux.Tool.dll");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_first_update_creates_files_that_say_what_the_code_has()
    {
        var written = await UpdateAsync();
        Assert.Equal(0, written.ExitCode);
        Assert.NotEmpty(Files());
        Assert.True(File.Exists(Path.Combine(_folder, "mux", "options.proto")));
        var check = await ToolInside.RunAsync("contract", "check", _folder, Assembly, "--level", "Json");
        Assert.Equal((0, "No change."), (check.ExitCode, check.Output[^1]));

        var again = await UpdateAsync();
        Assert.Equal(0, again.ExitCode);
        Assert.All(again.Output, static line => Assert.EndsWith(": no change.", line, StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_change_that_breaks_others_is_refused_until_it_is_accepted()
    {
        await UpdateAsync();
        var file = Files().First(static file => File.ReadAllText(file).Contains("service ", StringComparison.Ordinal));
        var text = await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken);
        int service = text.IndexOf("service ", StringComparison.Ordinal);
        var older = text.Insert(text.IndexOf('{', service) + 1, "\n  rpc Gone(google.protobuf.Empty) returns (google.protobuf.Empty);");
        if (!older.Contains("google/protobuf/empty.proto", StringComparison.Ordinal)) older = older.Replace("import \"mux/options.proto\";", "import \"google/protobuf/empty.proto\";\nimport \"mux/options.proto\";", StringComparison.Ordinal);
        await File.WriteAllTextAsync(file, older, TestContext.Current.CancellationToken);

        var refused = await UpdateAsync();
        Assert.Equal(99, refused.ExitCode);
        Assert.Contains(refused.Output, static line => line.StartsWith("error MUX0070: ", StringComparison.Ordinal) && line.Contains(".Gone'", StringComparison.Ordinal));
        Assert.Equal(older, await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));

        var accepted = await UpdateAsync("--accept", "nobody calls it");
        Assert.Equal(0, accepted.ExitCode);
        var now = await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken);
        Assert.Contains("// Accepted: nobody calls it (MUX0070 ", now, StringComparison.Ordinal);
        Assert.DoesNotContain("rpc Gone", now, StringComparison.Ordinal);
        Assert.Equal(0, (await UpdateAsync()).ExitCode);
        Assert.Equal(now, await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task Two_files_are_compared()
    {
        var (old, changed) = (Path.Combine(_folder, "old.proto"), Path.Combine(_folder, "new.proto"));
        const string text = "syntax = \"proto3\"; package t; message A { int32 id = 1; } service S { rpc Do(A) returns (A); }";
        await File.WriteAllTextAsync(old, text, TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(changed, text.Replace("int32 id = 1", "float id = 1; int32 more = 2", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        var broken = await ToolInside.RunAsync("contract", "check", old, changed);
        Assert.Equal((99, "error MUX0075: 't.A.id' was int32 and is float; keep the type, or add a field with another number"), (broken.ExitCode, Assert.Single(broken.Output)));

        await File.WriteAllTextAsync(changed, text.Replace("int32 id = 1", "int32 key = 1; int32 more = 2", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        var fine = await ToolInside.RunAsync("contract", "check", old, changed);
        Assert.Equal(["'t.A.key' is recorded otherwise: renamed from 'id'", "'t.A.more' is not recorded: new field 2", "Compatible; parts that are not recorded so: 2."], fine.Output);
        Assert.Equal(0, fine.ExitCode);
        Assert.Equal(99, (await ToolInside.RunAsync("contract", "check", old, changed, "--level", "Json")).ExitCode);
    }

    [Theory]
    [InlineData("nothing.dll", "is not there")]
    [InlineData("empty", "has no files that record contracts")]
    [InlineData("bad.proto", "MUX0087")]
    [InlineData("bad.dll", "cannot be loaded")]
    public async Task What_cannot_be_read_is_told(string name, string says)
    {
        Directory.CreateDirectory(Path.Combine(_folder, "empty"));
        await File.WriteAllTextAsync(Path.Combine(_folder, "bad.proto"), "message {", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(_folder, "bad.dll"), "no assembly", TestContext.Current.CancellationToken);
        var result = await ToolInside.RunAsync("contract", "check", Path.Combine(_folder, name), Assembly);
        Assert.Equal(2, result.ExitCode);
        Assert.Contains(says, Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_help_names_the_whole_command()
    {
        Assert.Contains("Usage: mux contract check [OLD] [NEW] [options]", (await ToolInside.RunAsync("contract", "check", "--help")).Output);
        Assert.Contains("Usage: mux contract COMMAND [options]", (await ToolInside.RunAsync("contract", "--help")).Output);
        var wrong = await ToolInside.RunAsync("contract", "check", "--nonsense");
        Assert.StartsWith("mux contract check: ", Assert.Single(wrong.Errors), StringComparison.Ordinal);
    }

    private Task<ToolResult> UpdateAsync(params string[] options) => ToolInside.RunAsync(["contract", "update", "--assembly", Assembly, "--out", _folder, .. options]);

    private IEnumerable<string> Files() => Directory.EnumerateFiles(_folder, "*.proto");
}
