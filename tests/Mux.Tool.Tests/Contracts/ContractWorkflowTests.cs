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

    private const string Integration = "-p:ContinuousIntegrationBuild=true";
    private const string Strict = "-p:TreatWarningsAsErrors=true";

    private string _folder = Directory.CreateTempSubdirectory("mux-workflow-").FullName;

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
        Assert.Equal(["MUX0086"], await BuildAsync(Integration));
        Assert.Equal(["MUX0086"], await BuildAsync(Integration, Strict, "-p:KeepsWarning=true"));
        Assert.Equal(["MUX0086"], await BuildAsync(Strict));
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
        Assert.Equal(["MUX0070", "MUX0073"], await BuildAsync(Integration));
        var refused = await RunAsync("update");
        Assert.Equal(ExitCode.Faulty, refused.ExitCode);
        Assert.Contains("--accept", refused.Output[^1], StringComparison.Ordinal);
        var accepted = await RunAsync("update", "--no-build", "--accept", "no program uses it");
        Assert.True(accepted.ExitCode == ExitCode.Success, accepted.ToString());
        Assert.Contains($"{Recorded}: 'Shop.Order.title' accepted: MUX0073.", accepted.Output);
        Assert.Empty(await BuildAsync(Integration));
    }

    [Fact]
    public async Task A_warning_that_is_no_error_where_others_are_lets_people_work()
    {
        WriteProject();
        Record(field: "");
        await File.WriteAllTextAsync(Source, Code, TestContext.Current.CancellationToken);
        Assert.Empty(await BuildAsync("-restore", Strict, "-p:KeepsWarning=true"));
    }

    [Fact]
    public async Task A_project_that_is_referenced_keeps_its_check()
    {
        WriteProject();
        Record(field: "string gone = 3;");
        await File.WriteAllTextAsync(Source, Code, TestContext.Current.CancellationToken);
        var library = _folder;
        _folder = Directory.CreateDirectory(Path.Combine(_folder, "apps,1")).FullName;
        WriteProject("Front", $"<ProjectReference Include=\"{library}/Shop.csproj\" />");
        Record(field: "string gone = 3;", "Front");
        await File.WriteAllTextAsync(Source, Code.Replace("Shop", "Front", StringComparison.Ordinal), TestContext.Current.CancellationToken);
        try
        {
            var refused = await RunAsync("update");
            Assert.True(refused.ExitCode == ExitCode.Usage, refused.ToString());
            Assert.Contains(refused.Errors, static line => line.Contains("error MUX0073: 'Shop.Order.gone'", StringComparison.Ordinal));
            Assert.DoesNotContain(refused.Errors, static line => line.Contains("'Front.Order.gone'", StringComparison.Ordinal));
        }
        finally
        {
            _folder = library;
        }
    }

    /// <summary>Records the contract as it is, or with a field more that the code does not have.</summary>
    private void Record(string field, string package = "Shop")
    {
        Directory.CreateDirectory(Path.Combine(_folder, "Contracts"));
        File.WriteAllText(Path.Combine(_folder, "Contracts", $"{package}.proto"), $$"""
            // Recorded by Mux
            syntax = "proto3";
            package {{package}};
            import "google/protobuf/empty.proto";
            message Order { int32 id = 1; optional string title = 2; {{field}} }
            message Orders_FindRequest { int32 id = 1; }
            message Orders_DropRequest { int32 id = 1; }
            service Orders {
              rpc Find(Orders_FindRequest) returns (Order);
              rpc Drop(Orders_DropRequest) returns (google.protobuf.Empty);
            }
            """);
    }

    private async Task EditAsync(string from, string to)
    {
        var text = await File.ReadAllTextAsync(Source, TestContext.Current.CancellationToken);
        Assert.Contains(from, text, StringComparison.Ordinal);
        await File.WriteAllTextAsync(Source, text.Replace(from, to, StringComparison.Ordinal), TestContext.Current.CancellationToken);
    }

    // What a PackageReference to Mux.Abstractions brings, without packages to restore. No analyzers: each build takes half the time.
    private void WriteProject(string name = "Shop", string reference = "")
    {
        var output = new DirectoryInfo(AppContext.BaseDirectory);
        var root = output;
        while (!File.Exists(Path.Combine(root.FullName, "Mux.sln"))) root = root.Parent!;
        var generators = Path.Combine(output.Parent!.Parent!.FullName, "Mux.Generators", output.Name, "Mux.Generators.dll");
        Assert.True(File.Exists(generators), generators);
        File.WriteAllText(Path.Combine(_folder, $"{name}.csproj"), $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <Import Project="{root.FullName}/src/Mux.Abstractions/build/Mux.Abstractions.props" />
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <Nullable>enable</Nullable>
                <RunAnalyzers>false</RunAnalyzers>
                <UseAppHost>false</UseAppHost>
                <EnableDefaultCompileItems>false</EnableDefaultCompileItems>
                <WarningsNotAsErrors Condition="'$(KeepsWarning)' == 'true'">$(WarningsNotAsErrors);MUX0086</WarningsNotAsErrors>
              </PropertyGroup>
              <ItemGroup>
                <Reference Include="{AppContext.BaseDirectory}Mux.Abstractions.dll" />
                <Analyzer Include="{generators}" />
                <AdditionalFiles Include="Contracts/*.proto" />
                <Compile Include="IOrders.cs" />
                {reference}
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

    /// <returns>The diagnostics that stop the build; none if it succeeds.</returns>
    private async Task<string[]> BuildAsync(params string[] options)
    {
        var start = new ProcessStartInfo("dotnet", ["msbuild", .. options, "-nologo", "-v:q"]) { WorkingDirectory = _folder, RedirectStandardOutput = true };
        using var build = Process.Start(start)!;
        var text = await build.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken).Within("the build", 10 * Awaited.Patience);
        await build.WaitForExitAsync(TestContext.Current.CancellationToken);
        var ids = text.Split('\n').Where(static line => line.Contains("error ", StringComparison.Ordinal)).Select(static line => line.Split("error ")[1].Split(':')[0]).Distinct().Order().ToArray();
        Assert.True(build.ExitCode == 0 == (ids.Length == 0), text);
        return ids;
    }
}
