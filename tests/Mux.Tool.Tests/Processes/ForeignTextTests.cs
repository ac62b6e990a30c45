using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;
using Mux.Tool.Tests.Comparing;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

/// <summary>What a server, a file or the command line says is printed, but its control characters are replaced: they could clear the screen, or set the title of the window.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class ForeignTextTests : IDisposable
{
    private const string Hostile = "\e]0;title\a\e[2J";
    private const string Shown = "?]0;title??[2J";

    private readonly string _folder = Directory.CreateTempSubdirectory("mux-foreign-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Of_a_server_that_describes_its_machine()
    {
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IEcho>(new EchoService()).AddService<IServerStats>(new HostileStats());
        server.Start();

        var result = await ToolInside.RunAsync("bench", server.Address.ToString(), "--workload", "echo", "-c", "1", "--in-flight", "1", "--warmup", "0ms", "-n", "10");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        AssertShown(result, result.Output);
    }

    [Fact]
    public async Task Of_a_result_that_cannot_be_compared()
    {
        var result = await ToolInside.RunAsync("compare", Write("a", "Linux"), Write("b", Hostile));

        Assert.True(result.ExitCode == ExitCode.Invalid, result.ToString());
        AssertShown(result, result.Errors);
    }

    [Fact]
    public async Task Of_a_result_that_is_compared_all_the_same()
    {
        var result = await ToolInside.RunAsync("compare", Write("a", "Linux"), Write("b", Hostile), "--force");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        AssertShown(result, result.Output);
    }

    [Fact]
    public async Task Of_a_file_that_is_no_result()
    {
        var path = Path.Combine(_folder, "other");
        await File.WriteAllTextAsync(path, """{"schema":"a\nb\u001b]0;title\u0007\u001b[2J"}""", TestContext.Current.CancellationToken);

        var result = await ToolInside.RunAsync("compare", path, path);

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains($"its schema is a?b{Shown}", Assert.Single(result.Errors), StringComparison.Ordinal);
        AssertShown(result, result.Errors);
    }

    [Fact]
    public async Task Of_what_was_typed()
    {
        var result = await ToolInside.RunAsync("bench", "--workload", Hostile);

        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        AssertShown(result, result.Errors);
    }

    private static void AssertShown(ToolResult result, string[] where)
    {
        Assert.Contains(where, line => line.Contains(Shown, StringComparison.Ordinal));
        Assert.DoesNotContain(result.Output.Concat(result.Errors), line => line.Any(char.IsControl));
    }

    private string Write(string name, string system)
    {
        var result = ComparisonTests.Runs(100);
        var path = Path.Combine(_folder, name);
        File.WriteAllBytes(path, ResultJson.Write(result with { Environment = result.Environment with { Client = new() { Os = system, Cpus = 2 } } }));
        return path;
    }

    private sealed class HostileStats : IServerStats
    {
        public ValueTask<ProcessEnvironment> DescribeAsync() => new(new ProcessEnvironment { CpuModel = "a model", Os = Hostile, Cpus = 2 });

        public ValueTask<HandlerProfile> GetHandlersAsync() => new(HandlerProfile.Plain);

        public ValueTask<ServerReport> ReadAsync() => throw new MuxException(MuxStatus.Unimplemented, Hostile);
    }
}
