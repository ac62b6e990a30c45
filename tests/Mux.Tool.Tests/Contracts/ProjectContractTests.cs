using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary><c>mux contract update</c> in the folder of a project that is built already, whose assembly and properties it finds by itself. The contracts are those of the tool.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class ProjectContractTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-project-").FullName;

    // A copy has no debug information next to it, which would name sources that may have changed since the tool was built.
    public ProjectContractTests() => File.Copy(Path.Combine(AppContext.BaseDirectory, "Mux.Tool.dll"), Assembly);

    private string Assembly => Path.Combine(_folder, "Mux.Tool.dll");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task The_contracts_of_the_project_here_are_recorded_and_compared_at_its_level()
    {
        WriteProject("Hr.csproj", Assembly, "Json");
        Assert.Equal(ExitCode.Success, (await UpdateAsync()).ExitCode);
        var file = Directory.EnumerateFiles(Path.Combine(_folder, "Contracts"), "*.proto").First(static file => File.ReadAllText(file).Contains(" = 1;", StringComparison.Ordinal));
        var text = await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken);

        int field = text.IndexOf(" = 1;", StringComparison.Ordinal);
        await File.WriteAllTextAsync(file, text.Insert(field, "_once"), TestContext.Current.CancellationToken);
        var refused = await UpdateAsync();
        Assert.True(refused.ExitCode == ExitCode.Faulty, refused.ToString());
        Assert.Contains(refused.Output, static line => line.StartsWith("error MUX0085: ", StringComparison.Ordinal));
        Assert.Equal(ExitCode.Success, (await UpdateAsync("--level", "Wire")).ExitCode);
        Assert.Equal(text, await File.ReadAllTextAsync(file, TestContext.Current.CancellationToken));
    }

    [Fact]
    public async Task A_folder_without_one_project_is_told_to_name_the_assembly()
    {
        await AssertRefusedAsync("has 0 projects; name the assembly with --assembly.");
        WriteProject("One.csproj", Assembly, "");
        WriteProject("Two.csproj", Assembly, "");
        await AssertRefusedAsync("has 2 projects; name the assembly with --assembly.");
    }

    [Theory]
    [InlineData("ASSEMBLY", "Strict", "MuxContractLevel of the project is 'Strict'; allowed are Wire and Json.")]
    [InlineData("", "", "builds for several frameworks; name one with --framework.")]
    [InlineData("nothing.dll", "", "is not there; leave out --no-build.")]
    [InlineData("<none", "", "MSB4025")]
    public async Task A_project_that_says_too_little_is_told_what_to_do(string target, string level, string says)
    {
        WriteProject("Hr.csproj", target == "ASSEMBLY" ? Assembly : target, level);
        await AssertRefusedAsync(says);
    }

    [Fact]
    public async Task A_source_that_is_newer_than_the_assembly_makes_it_old_until_it_is_built()
    {
        var old = Path.Combine(_folder, "Old.dll");
        File.Copy(Assembly, old);
        var source = Path.Combine(_folder, "New.cs");
        await File.WriteAllTextAsync(source, "", TestContext.Current.CancellationToken);
        await File.WriteAllTextAsync(Path.Combine(_folder, "Hr.csproj"), $"""
            <Project><PropertyGroup><TargetPath>{old}</TargetPath></PropertyGroup><ItemGroup><Compile Include="New.cs" /></ItemGroup></Project>
            """, TestContext.Current.CancellationToken);
        File.SetLastWriteTimeUtc(Path.Combine(_folder, "Hr.csproj"), DateTime.UnixEpoch);
        File.SetLastWriteTimeUtc(old, File.GetLastWriteTimeUtc(source).AddSeconds(-1));
        await AssertRefusedAsync("New.cs' changed after it was built. Build it anew.");

        File.SetLastWriteTimeUtc(source, File.GetLastWriteTimeUtc(old));
        var recorded = await UpdateAsync();
        Assert.True(recorded.ExitCode == ExitCode.Success, recorded.ToString());
    }

    private async Task AssertRefusedAsync(string says)
    {
        var result = await UpdateAsync();
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(says, Assert.Single(result.Errors), StringComparison.Ordinal);
        Assert.False(Directory.Exists(Path.Combine(_folder, "Contracts")));
    }

    // Without an SDK it is evaluated in a moment. It is older than what it seems to have built.
    private void WriteProject(string name, string target, string level)
    {
        var project = Path.Combine(_folder, name);
        File.WriteAllText(project, $"<Project><PropertyGroup><TargetPath>{target}</TargetPath><MuxContractLevel>{level}</MuxContractLevel></PropertyGroup></Project>");
        File.SetLastWriteTimeUtc(project, DateTime.UnixEpoch);
    }

    private async Task<ToolResult> UpdateAsync(params string[] options)
    {
        using var tool = ToolProcess.StartIn(_folder, ["contract", "update", "--no-build", .. options]);
        return await tool.EndAsync();
    }
}
