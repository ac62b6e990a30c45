using System.Diagnostics;
using Mux.TestSupport.Transports;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>A project that its user builds, changes, and records: what the build refuses, one command accepts.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class ContractWorkflowTests : IDisposable
{
    private const string Code = """
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        using Mux;
        namespace Shop;
        [DataContract] public class Order
        {
            [DataMember(Order = 1)] public int Id { get; set; }
            [DataMember(Order = 2)] public string? Title { get; set; }
        }
        [MuxService("Shop.Orders")] public interface IOrders
        {
            ValueTask<Order> Find(int id);
            ValueTask Drop(int id);
        }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("mux-workflow-").FullName;

    private string Source => Path.Combine(_folder, "IOrders.cs");

    private static string Recorded => Path.Combine("Contracts", "Shop.proto");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_change_that_the_build_refuses_is_recorded_or_accepted_by_one_command()
    {
        WriteProject();
        await File.WriteAllTextAsync(Source, Code, TestContext.Current.CancellationToken);
        var first = await RunAsync("update");
        Assert.True(first.ExitCode == ExitCode.Success, first.ToString());
        Assert.Contains($"{Recorded}: created.", first.Output);
        Assert.Equal([$"{Recorded}: no change."], (await RunAsync("update", "--no-build")).Output);
        Assert.Equal(["No change."], (await RunAsync("check", "--no-build")).Output);

        // A part that is not recorded stops the build for others, and the assembly here is the one before.
        await EditAsync("public string? Title { get; set; }", "public string? Title { get; set; } [DataMember(Order = 9)] public string? Nick { get; set; }");
        Assert.Equal(["MUX0086"], await BuildAsync());
        foreach (var command in new[] { "update", "check" })
        {
            var old = await RunAsync(command, "--no-build");
            Assert.True(old.ExitCode == ExitCode.Usage, old.ToString());
            Assert.Contains("IOrders.cs' changed after it was built", Assert.Single(old.Errors), StringComparison.Ordinal);
        }

        var added = await RunAsync("update");
        Assert.Equal((0, $"{Recorded}: 'Shop.Order.nick' recorded: new field 9."), (added.ExitCode, added.Output[0]));

        // What breaks others stops every build, is refused once, and is accepted with a reason.
        await EditAsync("[DataMember(Order = 2)] public string? Title { get; set; }", "");
        await EditAsync("ValueTask Drop(int id);", "");
        Assert.Equal(["MUX0070", "MUX0073"], await BuildAsync());
        var refused = await RunAsync("update");
        Assert.Equal(ExitCode.Faulty, refused.ExitCode);
        Assert.Contains("--accept", refused.Output[^1], StringComparison.Ordinal);
        var accepted = await RunAsync("update", "--no-build", "--accept", "no program uses it");
        Assert.True(accepted.ExitCode == ExitCode.Success, accepted.ToString());
        Assert.Contains($"{Recorded}: 'Shop.Order.title' accepted: MUX0073.", accepted.Output);
        Assert.Empty(await BuildAsync());
    }

    private async Task EditAsync(string from, string to)
    {
        var text = await File.ReadAllTextAsync(Source, TestContext.Current.CancellationToken);
        Assert.Contains(from, text, StringComparison.Ordinal);
        await File.WriteAllTextAsync(Source, text.Replace(from, to, StringComparison.Ordinal), TestContext.Current.CancellationToken);
    }

    // What a PackageReference to Mux.Abstractions brings, without packages to restore. No analyzers: each build takes half the time.
    private void WriteProject()
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        var root = output;
        while (!File.Exists(Path.Combine(root.FullName, "Mux.sln"))) root = root.Parent!;
        var generators = Path.Combine(output.Parent!.Parent!.FullName, "Mux.Generators", output.Name, "Mux.Generators.dll");
        Assert.True(File.Exists(generators), generators);
        File.WriteAllText(Path.Combine(_folder, "Shop.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <Import Project="{root.FullName}/src/Mux.Abstractions/build/Mux.Abstractions.props" />
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <RunAnalyzers>false</RunAnalyzers>
                <UseAppHost>false</UseAppHost>
              </PropertyGroup>
              <ItemGroup>
                <Reference Include="{AppContext.BaseDirectory}Mux.Abstractions.dll" />
                <Analyzer Include="{generators}" />
                <AdditionalFiles Include="Contracts/*.proto" />
              </ItemGroup>
              <Import Project="{root.FullName}/src/Mux.Abstractions/build/Mux.Abstractions.targets" />
            </Project>
            """);
    }

    private async Task<ToolResult> RunAsync(params string[] arguments)
    {
        using var tool = ToolProcess.StartIn(_folder, ["contract", .. arguments]);
        return await tool.EndOfBuildAsync();
    }

    /// <summary>Builds as continuous integration does.</summary>
    /// <returns>The diagnostics that stop it; none if it succeeds.</returns>
    private async Task<string[]> BuildAsync()
    {
        var start = new ProcessStartInfo("dotnet", ["build", "-p:ContinuousIntegrationBuild=true", "--no-restore", "-nologo", "-v:q"]) { WorkingDirectory = _folder, RedirectStandardOutput = true };
        using var build = Process.Start(start)!;
        var text = await build.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken).Within("the build", 10 * Awaited.Patience);
        await build.WaitForExitAsync(TestContext.Current.CancellationToken);
        var ids = text.Split('\n').Where(static line => line.Contains("error ", StringComparison.Ordinal)).Select(static line => line.Split("error ")[1].Split(':')[0]).Distinct().Order().ToArray();
        Assert.True(build.ExitCode == 0 == (ids.Length == 0), text);
        return ids;
    }
}
