using System.Text.Json;
using System.Text.RegularExpressions;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Processes;

[Collection(OneProcessAtATime.Name)]
public sealed partial class BenchTests : IDisposable
{
    [GeneratedRegex(@"^measure +[0-9]+(\.[0-9])? s  ")]
    private static partial Regex MeasureLine { get; }

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData("employee")]
    [InlineData("echo")]
    [InlineData("empty")]
    public async Task A_second_against_its_own_server_has_no_errors_and_a_result_file(string workload)
    {
        var result = await ToolProcess.RunAsync(
            "bench", "--workload", workload, "--connections", "3", "--in-flight", "20", "--warmup", "200ms", "--duration", "1s", "--json", _file);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Empty(result.Errors);
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        Assert.Contains(result.Output, line => MeasureLine.IsMatch(line)); // a busy machine looks at the clock later
        Assert.Contains("errors: none", result.Output);

        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        var ci = document.RootElement.GetProperty("ci");
        Assert.Equal(0, ci.GetProperty("errors").GetInt64());
        Assert.True(ci.GetProperty("rate").GetDouble() > 0);
        Assert.True(ci.GetProperty("server_cpu_us_per_call").GetDouble() > 0);
    }

    [Fact]
    public async Task One_call_in_so_many_is_timed_and_every_reply_is_counted()
    {
        var result = await ToolProcess.RunAsync(
            "bench", "--time-every", "8", "--connections", "2", "--in-flight", "50", "--warmup", "100ms", "--duration", "500ms", "--quiet", "--json", _file);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(result.Output, line => line.Contains(" calls, one in 8 timed", StringComparison.Ordinal));
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        var results = document.RootElement.GetProperty("results");
        long calls = results.GetProperty("calls").GetInt64();
        long timed = results.GetProperty("latency_us").GetProperty("count").GetInt64();
        Assert.InRange(timed, (calls / 8) - 200, (calls / 8) + 200); // each of the 100 tokens is at its own place between two timed calls
        Assert.Equal(timed, results.GetProperty("levels").EnumerateArray().Sum(level => level.GetProperty("calls").GetInt64()));
    }

    [Theory]
    [InlineData("100ms")]
    [InlineData("0ms")]
    public async Task A_number_of_calls_ends_the_run_at_exactly_that_many(string warmup)
    {
        var result = await ToolProcess.RunAsync(
            "bench", "-n", "12345", "-c", "3", "--in-flight", "20", "--time-every", "3", "--warmup", warmup, "--quiet", "--json", _file);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(result.Output, line => line.Contains(" calls/s   12,345 calls", StringComparison.Ordinal));
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        Assert.Equal(12_345, document.RootElement.GetProperty("configuration").GetProperty("calls").GetInt64());
        var results = document.RootElement.GetProperty("results");
        Assert.Equal(12_345, results.GetProperty("calls").GetInt64());
        long made = results.GetProperty("outcomes").GetProperty("made").GetInt64();
        Assert.Equal(warmup == "0ms", made == 12_345);
        double longest = results.GetProperty("latency_us").GetProperty("max").GetDouble();
        Assert.True(longest <= 1e6 * results.GetProperty("elapsed_s").GetDouble(), "A call of the measurement was timed from the warm-up.");
    }

    [Fact]
    public async Task A_number_of_calls_is_a_time_in_an_open_loop()
    {
        var result = await ToolProcess.RunAsync("bench", "-n", "500", "-r", "1k", "-c", "2", "--warmup", "0ms", "--max-lag", "10s", "--quiet", "--json", _file);

        Assert.True(result.ExitCode is ExitCode.Success or ExitCode.Invalid, result.ToString());
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        Assert.Equal(0.5, document.RootElement.GetProperty("configuration").GetProperty("duration_s").GetDouble());
    }

    [Theory]
    [InlineData("edge")]
    [InlineData("internal")]
    public async Task More_calls_than_an_edge_has_handlers_for_wait_in_its_own_server(string profile)
    {
        var result = await ToolProcess.RunAsync(
            "bench", "--profile", profile, "--connections", "4", "--in-flight", "4000", "--workers", "1", "--handler-cost", "20us", "--warmup", "0ms", "--duration", "500ms", "--quiet", "--json", _file);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        Assert.Equal(profile, document.RootElement.GetProperty("configuration").GetProperty("profile").GetString());
    }

    [Theory]
    [InlineData("--congestion", "reno")]
    [InlineData("--repeat", "1")] // reno is the default on loopback
    public async Task Congestion_control_is_in_force_at_both_ends(params string[] options)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems do not let it be chosen.");

        var result = await ToolProcess.RunAsync(
            ["bench", .. options, "--connections", "1", "--in-flight", "1", "--warmup", "0ms", "--duration", "100ms", "--quiet", "--json", _file]);

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        var environment = document.RootElement.GetProperty("environment");
        Assert.Equal("reno", environment.GetProperty("client").GetProperty("congestion_control").GetString());
        Assert.Equal("reno", environment.GetProperty("server").GetProperty("congestion_control").GetString());
    }

    [Fact]
    public async Task Quiet_prints_the_summary_alone()
    {
        var result = await ToolProcess.RunAsync("bench", "--quiet", "--connections", "1", "--in-flight", "1", "--warmup", "0ms", "--duration", "100ms");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.StartsWith("Employee calls to mux://127.0.0.1:", result.Output[0], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("csv", "date,workload,")]
    [InlineData("json", "{")]
    [InlineData("prometheus", "# HELP mux_bench_rate ")]
    public async Task A_format_for_programs_has_the_standard_output_for_itself(string format, string start)
    {
        var result = await ToolProcess.RunAsync(
            "bench", "-o", format, "--histogram", "--slo", "p50<10s", "-c", "1", "--in-flight", "1", "--warmup", "0ms", "-z", "300ms");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.StartsWith(start, result.Output[0], StringComparison.Ordinal);
        Assert.DoesNotContain(result.Output, line => line.Contains("Objectives met", StringComparison.Ordinal));
        foreach (var text in (string[])["Employee calls to ", "measure ", "Latency  ", "Objectives met", " UTC: mux bench -o "])
            Assert.Contains(result.Errors, line => line.Contains(text, StringComparison.Ordinal));
        if (format == "json") Assert.Equal("mux.bench/1", JsonDocument.Parse(string.Join('\n', result.Output)).RootElement.GetProperty("schema").GetString());
    }

    [Fact]
    public async Task A_missed_objective_fails_and_says_so()
    {
        var result = await ToolProcess.RunAsync("bench", "--slo", "p50<1us", "-c", "1", "--in-flight", "1", "--warmup", "0ms", "-z", "100ms", "--quiet");

        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        Assert.Contains("Objectives MISSED", result.Output);
        Assert.StartsWith("mux bench: Objectives missed: p50<1us, measured ", Assert.Single(result.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_without_a_stats_service_is_measured_all_the_same()
    {
        await using var server = new MuxServer("mux://127.0.0.1:0").AddService<IEcho>(new EchoService());
        server.Start();

        var result = await ToolProcess.RunAsync(
            "bench", server.Address.ToString(), "--workload", "echo", "--connections", "2", "--in-flight", "2", "--warmup", "0ms", "--duration", "200ms", "--quiet");

        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.Contains(result.Output, line => line.StartsWith("server", StringComparison.Ordinal) && line.Contains("n/a", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_result_that_cannot_be_written_is_told_after_the_summary()
    {
        Assert.SkipUnless(File.Exists("/dev/full"), "There is no full device here.");

        var result = await ToolProcess.RunAsync(
            "bench", "--quiet", "--connections", "1", "--in-flight", "1", "--warmup", "0ms", "--duration", "100ms", "--json", "/dev/full");

        Assert.Equal(ExitCode.Usage, result.ExitCode);
        Assert.Contains("errors: none", result.Output);
        Assert.StartsWith("mux bench: --json '/dev/full': it cannot be written", Assert.Single(result.Errors), StringComparison.Ordinal);
    }
}
