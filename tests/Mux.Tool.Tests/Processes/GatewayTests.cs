using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tool.Workloads;

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
    public async Task A_test_of_the_protocol_ends_at_a_gateway_whose_service_is_away_and_says_why()
    {
        using var gateway = ToolProcess.Start("gateway", "--listen", "mux://127.0.0.1:0", "--route", "*=mux://127.0.0.1:1", "--until-stdin-ends", "--quiet");
        var address = await gateway.ReadLineAsync("the address of the gateway");
        var result = await ToolInside.RunAsync("spec", address, "--split", "whole");
        Assert.True(result.ExitCode == ExitCode.Unreachable, result.ToString());
        Assert.Contains("fails with Unavailable. A gateway is tested with its service", Assert.Single(result.Errors), StringComparison.Ordinal);
        gateway.CloseInput();
        await gateway.EndAsync();
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
        await AssertRefusedAsync("""{ "routes": { "a": "mux://127.0.0.1:1" }, "certificateKey": "a.key" }""", "--certificate-key 'a.key' needs a --certificate");
    }

    [Theory]
    [InlineData("Expected a route", "gateway")]
    [InlineData("'a' is not a route: expected SERVICE=ADDRESS", "gateway", "--route", "a")]
    [InlineData("'a' is there 2 times", "gateway", "--route", "a=mux://127.0.0.1:1", "--route", "a=mux://127.0.0.1:2")]
    [InlineData("'10.0.0.7:7070' has no scheme: expected an address such as mux://", "gateway", "--route", "shop.Orders=10.0.0.7:7070")]
    [InlineData("'a=' is not a route: expected SERVICE=ADDRESS", "gateway", "--route", "a=")]
    [InlineData("--certificate-key 'a.key' needs a --certificate", "gateway", "--route", "a=mux://127.0.0.1:1", "--listen", "mux://127.0.0.1:0", "--certificate-key", "a.key")]
    [InlineData("--config: ", "gateway", "--config", "there-is-no-such-file.json")]
    public async Task Wrong_routes_are_told_in_one_line(string expected, params string[] arguments)
    {
        var result = await ToolInside.RunAsync(arguments);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Calls_that_end_while_it_stops_are_among_the_totals()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "There is no SIGTERM.");
        Signal started = new("the start of the handler"), answer = new("the answer");
        await using var held = new MuxServer("mux://127.0.0.1:0").AddService<IEcho>(new HeldEcho(started, answer));
        held.Start();
        using var gateway = ToolProcess.Start("gateway", "--listen", "mux://127.0.0.1:0", "--route", $"*={held.Address}");
        await using var channel = MuxChannel.Create(await gateway.ReadLineAsync("the address of the gateway"));
        var call = channel.CreateProxy<IEcho>().EchoAsync([5], TestContext.Current.CancellationToken).AsTask();
        await started.WaitAsync();
        gateway.SendTerminate();
        await Eventually.Holds(() => !Assert.Single(channel.GetEndpoints()).IsOpen, "the drain of the gateway");
        answer.Set();
        Assert.Equal([5], await call.Within("the reply"));
        var result = await gateway.EndAsync();
        Assert.Contains(result.Output, line => line.EndsWith($"-> {held.Address}: 1 calls, 0 failed", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_bench_shows_why_the_gateway_does_not_forward_it_and_a_ping_says_who_answered()
    {
        using var gateway = ToolProcess.Start("gateway", "--listen", "mux://127.0.0.1:0", "--route", $"shop.Orders={server.Address}", "--until-stdin-ends");
        var address = await gateway.ReadLineAsync("the address of the gateway");
        var bench = await ToolInside.RunAsync("bench", address, "-n", "1");
        Assert.True(bench.ExitCode == ExitCode.Unreachable, bench.ToString());
        Assert.Contains("The gateway has no route for '", string.Join(' ', bench.Errors), StringComparison.Ordinal);
        var ping = await ToolInside.RunAsync("ping", address, "-n", "1");
        Assert.True(ping.ExitCode == ExitCode.Success, ping.ToString());
        Assert.Contains(ping.Output, line => line.StartsWith($"{address} is a gateway, which answered by itself.", StringComparison.Ordinal));
        var direct = await ToolInside.RunAsync("ping", server.Address, "-n", "1");
        Assert.DoesNotContain(direct.Output, static line => line.Contains("gateway", StringComparison.Ordinal));
    }

    private async Task AssertRefusedAsync(string content, string expected)
    {
        await File.WriteAllTextAsync(_file, content, TestContext.Current.CancellationToken);
        var result = await ToolInside.RunAsync("gateway", "--config", _file);
        Assert.True(result.ExitCode == ExitCode.Usage, result.ToString());
        Assert.Contains(expected, string.Join(' ', result.Errors), StringComparison.Ordinal);
    }
}
