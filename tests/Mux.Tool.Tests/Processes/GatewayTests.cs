namespace Mux.Tool.Tests.Processes;

/// <summary><c>mux gateway</c> between the load and the server of the tool.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class GatewayTests(ServingTool server) : IClassFixture<ServingTool>, IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task Load_passes_it_and_it_stops_when_asked_and_tells_what_it_forwarded()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        using var gateway = ToolProcess.Start("gateway", "--listen", "mux://127.0.0.1:0", "--route", $"*={server.Address}");
        var address = await gateway.ReadLineAsync("the address of the gateway");
        var load = await ToolProcess.RunAsync("bench", address, "--connections", "2", "--in-flight", "10", "-n", "2000", "--warmup", "0ms", "--quiet");
        Assert.True(load.ExitCode == ExitCode.Success, load.ToString());
        gateway.SendTerminate();
        var result = await gateway.EndAsync();
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(result.Output, line => line.Contains($"-> {server.Address}: 2,0", StringComparison.Ordinal) && line.EndsWith(", 0 failed", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Routes_come_from_a_file_and_a_mistake_in_it_is_told_in_one_line()
    {
        await File.WriteAllTextAsync(_file, $$"""{ "listen": "mux://127.0.0.1:0", /* all */ "routes": { "*": "{{server.Address}}" }, }""", TestContext.Current.CancellationToken);
        using (var gateway = ToolProcess.Start("gateway", "--config", _file, "--until-stdin-ends", "--quiet"))
        {
            Assert.StartsWith("mux://127.0.0.1:", await gateway.ReadLineAsync("the address of the gateway"), StringComparison.Ordinal);
            gateway.CloseInput();
            Assert.Equal(ExitCode.Success, (await gateway.EndAsync()).ExitCode);
        }

        await AssertRefusedAsync("""{ "route": {} }""", $"'route' is not valid: expected one of listen, allowPlaintext, certificate, certificateKey, routes.");
        await AssertRefusedAsync("""{ "routes": { "a": 1 } }""", "'a' is not valid: expected a text.");
        await AssertRefusedAsync("""{ "routes": { "a b": "mux://127.0.0.1:1" } }""", "'a b' is not a pattern of services");
        await AssertRefusedAsync("""{ "routes": { "a": "tcp://127.0.0.1:1" } }""", "tcp://127.0.0.1:1");
        await AssertRefusedAsync("[", _file);
    }

    [Theory]
    [InlineData("Expected a route", "gateway")]
    [InlineData("'a' is not a route: expected SERVICE=ADDRESS", "gateway", "--route", "a")]
    [InlineData("'a' is there 2 times", "gateway", "--route", "a=mux://127.0.0.1:1", "--route", "a=mux://127.0.0.1:2")]
    [InlineData("--config: ", "gateway", "--config", "there-is-no-such-file.json")]
    public async Task Wrong_routes_are_told_in_one_line(string expected, params string[] arguments)
    {
        var result = await ToolInside.RunAsync(arguments);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    private async Task AssertRefusedAsync(string content, string expected)
    {
        await File.WriteAllTextAsync(_file, content, TestContext.Current.CancellationToken);
        var result = await ToolInside.RunAsync("gateway", "--config", _file);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, string.Join(' ', result.Errors), StringComparison.Ordinal);
    }
}
