using System.Text.Json;

namespace Mux.Tool.Tests.Processes;

/// <summary>Streams, bulk, deadlines and cancellation against a server process: one for all, or the bench's own if it gets options.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class WorkloadTests(ServingTool server) : IClassFixture<ServingTool>, IDisposable
{
    /// <summary>Options that a bench passes on to the server that it starts.</summary>
    private static readonly string[] s_optionsOfServer = ["--engine", "--slow", "--handler-cost", "--workers"];

    private static readonly string[] s_times = ["--warmup", "50ms", "--duration", "300ms", "--quiet", "--json"];

    /// <summary>Long enough for some replies of 4 MiB beside small calls on a loaded machine.</summary>
    private static readonly string[] s_timesOfBulk = ["--warmup", "50ms", "--duration", "2s", "--quiet", "--json"];

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Theory]
    [InlineData("server-stream", "items")]
    [InlineData("server-stream --connections 2 --in-flight 3 --stream-items 100", "items")]
    [InlineData("client-stream", "items")]
    [InlineData("client-stream --connections 2 --in-flight 3 --stream-items 100", "items")]
    [InlineData("duplex", "pairs")]
    [InlineData("duplex --connections 2 --in-flight 3 --window 5 --stream-items 100", "pairs")]
    [InlineData("duplex --window 1", "pairs")]
    [InlineData("server-stream --engine portable", "items")]
    [InlineData("client-stream --engine portable", "items")]
    [InlineData("duplex --engine portable", "pairs")]
    public async Task Every_item_of_a_stream_is_right(string workload, string unit)
    {
        var (result, root) = await RunAsync(workload);

        Assert.Contains(result.Output, line => line.Contains($" {unit}/s   ", StringComparison.Ordinal));
        Assert.Equal(unit, root.GetProperty("configuration").GetProperty("unit").GetString());
        Assert.True(root.GetProperty("results").GetProperty("calls").GetInt64() > 0);
        Assert.True(root.GetProperty("ci").GetProperty("server_cpu_us_per_call").GetDouble() > 0);
        Assert.Equal(JsonValueKind.Null, root.GetProperty("ci").GetProperty("mb_per_s").ValueKind);
    }

    [Theory]
    [InlineData("bulk --in-flight 1")]
    [InlineData("bulk --in-flight 2 --size 100000")]
    [InlineData("bulk --rate 50 --size 100000 --max-lag 10s")]
    [InlineData("bulk-stream")]
    [InlineData("bulk-stream --window 2 --size 100000 --stream-items 3")]
    public async Task Bulk_is_told_in_megabytes(string workload)
    {
        var (result, root) = await RunAsync(workload);

        Assert.Contains(result.Output, line => line.EndsWith(" MB/s each way", StringComparison.Ordinal));
        double megabytes = root.GetProperty("ci").GetProperty("mb_per_s").GetDouble();
        Assert.Equal(root.GetProperty("ci").GetProperty("rate").GetDouble() * root.GetProperty("configuration").GetProperty("size").GetInt32() / 1e6, megabytes, 0.1 * megabytes);
    }

    [Theory]
    [InlineData("same", "1")]
    [InlineData("other", "2")]
    public async Task Small_calls_and_bulk_beside_them_are_told_apart(string connections, string bulkInFlight)
    {
        var (result, root) = await RunAsync($"mixed --bulk-on {connections} --bulk-in-flight {bulkInFlight}", s_timesOfBulk);

        Assert.Contains(result.Output, line => line.Contains(" that may be sent before a call take ", StringComparison.Ordinal));
        Assert.Contains(result.Output, line => line.StartsWith("bulk       ", StringComparison.Ordinal));
        var results = root.GetProperty("results");
        Assert.True(results.GetProperty("calls").GetInt64() > 0);
        Assert.True(results.GetProperty("bulk").GetProperty("replies").GetInt64() > 0);
        Assert.True(results.GetProperty("bulk").GetProperty("bound_us").GetDouble() > 0);
        Assert.Equal(connections, root.GetProperty("configuration").GetProperty("bulk_on").GetString());
    }

    [Fact]
    public async Task Small_calls_beside_bulk_can_come_at_a_rate()
    {
        var (_, root) = await RunAsync("mixed --rate 50 --max-lag 10s --size 100000");

        Assert.True(root.GetProperty("results").GetProperty("schedule").GetProperty("made").GetInt64() > 0);
        Assert.True(root.GetProperty("results").GetProperty("bulk").GetProperty("replies").GetInt64() > 0);
    }

    [Fact]
    public async Task Calls_that_exceed_their_deadline_are_no_errors_and_each_has_one_outcome()
    {
        var (result, root) = await RunAsync("employee --connections 2 --in-flight 4 --deadline 5ms --slow 5%:50ms --workers 1");

        var outcomes = root.GetProperty("results").GetProperty("outcomes");
        Assert.True(outcomes.GetProperty("deadline_exceeded").GetInt64() > 0, result.ToString());
        Assert.Equal(0, outcomes.GetProperty("unaccounted").GetInt64());
        Assert.Contains(result.Output, line => line.StartsWith("deadline exceeded ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("employee --connections 2 --in-flight 50")]
    [InlineData("echo --connections 2 --in-flight 50")]
    [InlineData("empty --connections 2 --in-flight 50")]
    [InlineData("employee --engine portable --connections 2 --in-flight 50")]
    [InlineData("employee --engine streams --connections 2 --in-flight 50")]
    public async Task Cancelled_calls_are_no_errors_and_each_has_one_outcome(string workload)
    {
        var (result, root) = await RunAsync($"{workload} --cancel 20%");

        var outcomes = root.GetProperty("results").GetProperty("outcomes");
        long chosen = outcomes.GetProperty("cancels_chosen").GetInt64(), cancelled = outcomes.GetProperty("cancelled").GetInt64(), made = outcomes.GetProperty("made").GetInt64();
        Assert.True(cancelled > 0, result.ToString());
        Assert.InRange(cancelled, 1, chosen);
        Assert.InRange(chosen, made / 10, made * 3 / 10);
        Assert.Equal(0, outcomes.GetProperty("unaccounted").GetInt64());
        Assert.Equal(0, outcomes.GetProperty("failed").GetInt64());
    }

    [Fact]
    public async Task Calls_of_an_open_loop_can_be_cancelled_too()
    {
        var (_, root) = await RunAsync("employee --rate 2k --max-lag 10s --cancel 50% --deadline 1s --handler-cost 200us");

        Assert.True(root.GetProperty("results").GetProperty("outcomes").GetProperty("cancelled").GetInt64() > 0);
        Assert.Equal(0, root.GetProperty("results").GetProperty("outcomes").GetProperty("unaccounted").GetInt64());
    }

    /// <summary>A run that has no errors; of an open loop the machine may make an invalid one.</summary>
    private Task<(ToolResult Result, JsonElement Root)> RunAsync(string workload) => RunAsync(workload, s_times);

    private async Task<(ToolResult Result, JsonElement Root)> RunAsync(string workload, string[] times)
    {
        string[] load = [.. times, _file, "--workload", .. workload.Split(' ')];
        var result = s_optionsOfServer.Any(option => workload.Contains(option, StringComparison.Ordinal))
            ? await ToolProcess.RunAsync(["bench", .. load])
            : await ToolInside.RunAsync(["bench", server.Address, .. load]);

        Assert.True(result.ExitCode is ExitCode.Success or ExitCode.Invalid, result.ToString());
        Assert.Contains("errors: none", result.Output);
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        using var document = JsonDocument.Parse(await File.ReadAllBytesAsync(_file, TestContext.Current.CancellationToken));
        return (result, document.RootElement.Clone());
    }
}
