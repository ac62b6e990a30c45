using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

/// <summary>Bounds of time are wide open here: the machine may be busy with anything.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class OpenLoopTests : IDisposable
{
    private static readonly string[] s_short = ["--connections", "2", "--warmup", "200ms", "--duration", "1s", "--quiet"];

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public async Task Calls_are_made_at_the_rate_asked_for()
    {
        var result = await ToolProcess.RunAsync(["bench", "--rate", "2k", "--max-lag", "10s", "--json", _file, .. s_short]);

        Assert.Contains("2 connections, open loop at 2,000 calls/s", result.Output);
        Assert.Contains(result.Output, line => line.StartsWith("service", StringComparison.Ordinal));
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        var schedule = (await ReadAsync()).GetProperty("results").GetProperty("schedule");
        Assert.True(result.ExitCode == (schedule.GetProperty("valid").GetBoolean() ? ExitCode.Success : ExitCode.Invalid), result.ToString());
        Assert.InRange(schedule.GetProperty("made").GetInt64(), 1_000, 3_000); // a machine that is busy elsewhere stops the generator for a while
        Assert.Equal(0, schedule.GetProperty("dropped").GetInt64());
        Assert.NotEmpty(schedule.GetProperty("in_flight").EnumerateArray());
    }

    [Fact]
    public async Task A_server_that_cannot_keep_up_makes_the_run_invalid_before_any_number()
    {
        var result = await ToolProcess.RunAsync(["bench", "--rate", "20k", "--max-open", "100", "--handler-cost", "1ms", "--workers", "1", .. s_short]);

        Assert.True(result.ExitCode == ExitCode.Invalid, result.ToString());
        Assert.StartsWith("INVALID (only ", result.Output[0], StringComparison.Ordinal);
        Assert.Contains("calls dropped", result.Output[0] + result.Output[1], StringComparison.Ordinal);
        Assert.StartsWith("mux bench: The run is invalid: only ", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Slow_replies_are_told_apart_from_the_others_whose_server_is_asked_which()
    {
        var (server, address) = await ToolProcess.ServeAsync("--slow", "10%:20ms", "--workers", "8");
        using (server)
        {
            var result = await ToolProcess.RunAsync(["bench", address, "--in-flight", "8", "--json", _file, .. s_short]);

            Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
            Assert.Contains(result.Output, line => line.StartsWith("slow 10%", StringComparison.Ordinal));
            var results = (await ReadAsync()).GetProperty("results");
            var (slow, others) = (results.GetProperty("slow_us"), results.GetProperty("others_us"));
            Assert.True(slow.GetProperty("min").GetDouble() >= 20_000, slow.ToString());
            Assert.True(others.GetProperty("min").GetDouble() < slow.GetProperty("min").GetDouble());
            long count = slow.GetProperty("count").GetInt64() + others.GetProperty("count").GetInt64();
            Assert.InRange(slow.GetProperty("count").GetInt64(), 1, count / 2);
        }
    }

    [Fact]
    public async Task Repeated_runs_are_all_in_the_result_with_their_medians()
    {
        var result = await ToolProcess.RunAsync(
            "bench", "--repeat", "3", "--connections", "1", "--in-flight", "4", "--warmup", "0ms", "--duration", "200ms", "--json", _file, "--handler-cost", "20us");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains("3 runs, errors: 0", result.Output);
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        var root = await ReadAsync();
        var rates = root.GetProperty("runs").EnumerateArray().Select(run => run.GetProperty("ci").GetProperty("rate").GetDouble()).Order().ToArray();
        Assert.Equal(3, rates.Length);
        Assert.Equal(rates[1], root.GetProperty("ci").GetProperty("rate").GetDouble());
        Assert.Equal(rates[1], root.GetProperty("results").GetProperty("rate").GetDouble());
        Assert.Equal(rates[0], root.GetProperty("spread").GetProperty("rate").GetProperty("min").GetDouble());
    }

    private async Task<JsonElement> ReadAsync()
    {
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        return document.RootElement.Clone();
    }
}
