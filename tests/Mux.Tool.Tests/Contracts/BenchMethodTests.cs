using System.Text.Json;
using Mux.Description;
using Mux.Reflection;
using Mux.TestSupport.EndToEnd;
using Mux.Tool.Tests.Processes;

namespace Mux.Tool.Tests.Contracts;

/// <summary>Loads of methods that are no workloads of the tool.</summary>
[Collection(OneProcessAtATime.Name)]
public sealed class BenchMethodTests : IAsyncDisposable
{
    private readonly RecordingDesk _desk = new();
    private readonly MuxServer _server;
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-bench-").FullName;

    public BenchMethodTests() => _server = new MuxServer("mux://127.0.0.1:0").AddService<IDesk>(_desk);

    public ValueTask DisposeAsync()
    {
        Directory.Delete(_folder, recursive: true);
        return _server.DisposeAsync();
    }

    [Theory]
    [InlineData("Find", "[{\"number\":1},{\"number\":2},{\"number\":3}]", 3, "1 2 3 1 2 3 1")]
    [InlineData("Find", "{\"number\":1}\n{\"number\":2}\n", 2, "1 2 1 2 1 2 1")]
    [InlineData("Find", "{\"number\":7}", 1, "7 7 7 7 7 7 7")]
    [InlineData("Annotate", "{\"Text\":\"x\"} {\"Text\":\"y\"}", 2, "x y x y x y x")]
    [InlineData("Close", null, 1, "close close close close close close close")]
    [InlineData("Drop", "[{\"title\":\"a\"},{\"title\":\"b\"}]", 2, "a b a b a b a")]
    [InlineData("Bind", "[[{\"title\":\"a\"},{\"title\":\"b\"}],[{\"title\":\"c\"}],[]]", 3, "ab c  ab c  ab")]
    [InlineData("Bind", "{\"title\":\"a\"}\n{\"title\":\"b\"}", 1, "ab ab ab ab ab ab ab")]
    [InlineData("BindAs", "[{\"number\":3},{\"title\":\"a\"},{\"title\":\"b\"}]\n[{\"number\":4}]", 2, "3:ab 4: 3:ab 4: 3:ab 4: 3:ab")]
    [InlineData("Watch", "[{\"number\":1},{\"number\":2}]", 2, "watch 1 watch 2 watch 1 watch 2 watch 1 watch 2 watch 1")]
    [InlineData("FindEach", "[[{\"number\":1},{\"number\":2}],[{\"number\":3}]]", 2, "1 2 3 1 2 3 1 2 3 1 2")]
    public async Task Requests_of_any_shape_are_sent_in_turn(string method, string? data, int requests, string seen)
    {
        _server.AddReflection().Start();
        var root = await MeasureAsync(method, data is null ? ["-n", "7"] : ["-n", "7", "-d", data]);
        Assert.Equal(7, root.GetProperty("results").GetProperty("calls").GetInt64());
        Assert.Equal(7, root.GetProperty("results").GetProperty("outcomes").GetProperty("answered").GetInt64());
        Assert.Equal(requests, root.GetProperty("configuration").GetProperty("requests").GetInt32());
        Assert.Equal($"test.Desk/{method}", root.GetProperty("configuration").GetProperty("workload").GetString());
        await Eventually.Holds(() => Joined(_desk.Seen) == Joined(seen.Split(' ')), () => $"'{seen}' of '{Joined(_desk.Seen)}'");

        // Nothing awaits a one-way call, so the handlers of two of them may run at the same time.
        string Joined(string[] words) => string.Join(' ', method == "Drop" ? words.Order(StringComparer.Ordinal) : words);
    }

    [Theory]
    [InlineData("Watch", "{\"number\":2}", "server-stream", 8, null)]
    [InlineData("Bind", "[{\"title\":\"a\"},{\"title\":\"b\"},{\"title\":\"c\"}]", "client-stream", null, 12)]
    [InlineData("FindEach", "[{\"number\":1},{\"number\":2}]", "duplex", 8, 8)]
    [InlineData("Watch", "{\"number\":9}", "server-stream", 4, null, "--stream-items", "1")]
    public async Task Items_are_counted_and_the_first_one_is_timed(string method, string data, string shape, int? received, int? sent, params string[] options)
    {
        _server.AddReflection().Start();
        var root = await MeasureAsync(method, ["-n", "4", "-d", data, .. options]);
        Assert.Equal(shape, root.GetProperty("configuration").GetProperty("shape").GetString());
        var items = root.GetProperty("results").GetProperty("items");
        Assert.Equal(received, NumberOf(items.GetProperty("received")));
        Assert.Equal(sent, NumberOf(items.GetProperty("sent")));
        Assert.True(root.GetProperty("ci").GetProperty("items_per_s").GetDouble() > 0);
        if (received is null) return;
        Assert.Equal(4, items.GetProperty("first_us").GetProperty("count").GetInt64());
        Assert.True(root.GetProperty("ci").GetProperty("first_p50_us").GetDouble() > 0);
        Assert.Equal(4, root.GetProperty("results").GetProperty("latency_us").GetProperty("count").GetInt64());
    }

    [Fact]
    public async Task Streams_without_an_end_are_ended_with_the_run_and_are_no_errors()
    {
        _server.AddReflection().Start();
        var root = await MeasureAsync("Watch", "-z", "500ms", "--warmup", "0ms", "-d", "{\"number\":3}");
        var outcomes = root.GetProperty("results").GetProperty("outcomes");
        Assert.Equal(1, outcomes.GetProperty("made").GetInt64());
        Assert.Equal(1, outcomes.GetProperty("cut").GetInt64());
        Assert.Equal(0, outcomes.GetProperty("unaccounted").GetInt64());
        var items = root.GetProperty("results").GetProperty("items");
        Assert.Equal((2, 1), (items.GetProperty("received").GetInt32(), items.GetProperty("first_us").GetProperty("count").GetInt32()));
    }

    [Fact]
    public async Task Failures_are_counted_by_status_and_the_first_is_told()
    {
        _server.AddReflection().Start();
        var result = await RunAsync("Find", "-n", "6", "-d", "[{\"number\":1},{\"number\":-1}]");
        Assert.True(result.ExitCode == ExitCode.Faulty, result.ToString());
        var errors = Parse(result).GetProperty("results").GetProperty("errors");
        Assert.Equal(3, errors.GetProperty("failed").GetProperty("NotFound").GetInt64());
        Assert.Contains(result.Errors, line => line.StartsWith("mux bench: Failed calls by status: NotFound 3. The first NotFound: ", StringComparison.Ordinal)
            && line.Contains("There is no book", StringComparison.Ordinal));
        Assert.DoesNotContain(result.Errors, static line => line.Any(char.IsControl));
    }

    [Theory]
    [InlineData("--timeout", ExitCode.Faulty, 2, 0)]
    [InlineData("--deadline", ExitCode.Success, 0, 2)]
    public async Task A_timeout_fails_calls_and_a_deadline_is_counted_apart(string option, int exitCode, int failed, int exceeded)
    {
        _server.AddReflection().Start();
        var result = await RunAsync("Watch", "-n", "2", "-d", "{\"number\":3}", option, "50ms");
        Assert.True(result.ExitCode == exitCode, result.ToString());
        var results = Parse(result).GetProperty("results");
        Assert.Equal(failed, results.GetProperty("errors").GetProperty("failed").TryGetProperty("DeadlineExceeded", out var count) ? count.GetInt32() : 0);
        Assert.Equal(exceeded, results.GetProperty("outcomes").GetProperty("deadline_exceeded").GetInt32());
    }

    [Theory]
    [InlineData("p50<10s", ExitCode.Success)]
    [InlineData("p50<1us", ExitCode.Faulty)]
    public async Task Objectives_decide_about_the_exit_code(string objective, int exitCode)
    {
        _server.AddReflection().Start();
        var result = await RunAsync("Find", "-n", "300", "-d", "{\"number\":1}", "--slo", objective);
        Assert.True(result.ExitCode == exitCode, result.ToString());
        Assert.Equal(exitCode == ExitCode.Success, Parse(result).GetProperty("slo").GetProperty("met").GetBoolean());
    }

    [Fact]
    public async Task Calls_come_at_a_rate_on_many_connections_with_metadata()
    {
        _server.AddReflection().Start();
        var result = await ToolInside.RunAsync("bench", _server.Address.ToString(), "test.Desk/Find", "-d", "{\"number\":1}", "-c", "3", "-r", "200", "-z", "500ms",
            "--warmup", "0ms", "--max-lag", "10s", "--quiet", "-o", "json", "-H", "tenant: x", "--churn", "20");
        Assert.True(result.ExitCode is ExitCode.Success or ExitCode.Invalid, result.ToString()); // a loaded machine answers less than the rate
        Assert.True(Parse(result).GetProperty("results").GetProperty("schedule").GetProperty("made").GetInt64() > 0);
        Assert.Equal("1x", Assert.Single(_desk.Seen.Distinct()));
    }

    [Fact]
    public async Task Contracts_come_from_files_and_requests_too()
    {
        _server.Start(); // which describes nothing
        var descriptors = Path.Combine(_folder, "desk.pb");
        await File.WriteAllBytesAsync(descriptors, ContractSet.Of<IDesk>().ToFileDescriptorSet(), TestContext.Current.CancellationToken);
        var requests = Path.Combine(_folder, "ids.ndjson");
        await File.WriteAllTextAsync(requests, "{\"number\":4}\n\n{\"number\":5}\n", TestContext.Current.CancellationToken);
        await MeasureAsync("Find", "-n", "3", "-d", $"@{requests}", "--descriptors", descriptors);
        Assert.Equal(["4", "5", "4"], _desk.Seen);
        await MeasureAsync("Close", "-n", "1", "--assembly", typeof(IDesk).Assembly.Location);
        Assert.Equal("close", _desk.Seen[^1]);
    }

    [Fact]
    public async Task Results_of_other_requests_are_not_compared()
    {
        _server.AddReflection().Start();
        var (first, second) = (Path.Combine(_folder, "a.json"), Path.Combine(_folder, "b.json"));
        await MeasureAsync("Find", "-n", "20", "-d", "[{\"number\":1},{\"number\":2}]", "--json", first);
        await MeasureAsync("Find", "-n", "20", "-d", "[{\"number\":1},{\"number\":3}]", "--json", second);
        var same = await ToolInside.RunAsync("compare", first, first);
        Assert.True(same.ExitCode == ExitCode.Success, same.ToString());
        var other = await ToolInside.RunAsync("compare", first, second);
        Assert.True(other.ExitCode == ExitCode.Invalid, other.ToString());
        Assert.Contains("the hash of the requests was ", other.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_summary_and_the_page_tell_the_method()
    {
        _server.AddReflection().Start();
        var page = Path.Combine(_folder, "page.html");
        var result = await ToolInside.RunAsync("bench", _server.Address.ToString(), "test.Desk/Watch", "-d", "[{\"number\":1},{\"number\":2}]", "-c", "2",
            "--in-flight", "3", "-n", "60", "--warmup", "50ms", "--quiet", "--html", page);
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        Assert.StartsWith($"Calls of test.Desk/Watch to {_server.Address}", result.Output[0], StringComparison.Ordinal);
        Assert.Contains("2 connections x 3 in flight, 2 requests in turn", result.Output);
        Assert.Contains(result.Output, line => line.StartsWith("received ", StringComparison.Ordinal) && line.EndsWith(" items/s", StringComparison.Ordinal));
        Assert.Contains(result.Output, line => line.StartsWith("first item ", StringComparison.Ordinal));
        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        Assert.Contains("test.Desk/Watch calls to ", await File.ReadAllTextAsync(page, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    private async Task<JsonElement> MeasureAsync(string method, params string[] arguments)
    {
        var result = await RunAsync(method, arguments);
        Assert.True(result.ExitCode == ExitCode.Success, result.ToString());
        return Parse(result);
    }

    /// <summary>Runs one call after the other.</summary>
    private Task<ToolResult> RunAsync(string method, params string[] arguments) => ToolInside.RunAsync(
        ["bench", _server.Address.ToString(), $"test.Desk/{method}", "-c", "1", "--in-flight", "1", "--quiet", "-o", "json", .. arguments]);

    private static JsonElement Parse(ToolResult result) => JsonDocument.Parse(string.Join('\n', result.Output)).RootElement;

    private static int? NumberOf(JsonElement value) => value.ValueKind == JsonValueKind.Null ? null : value.GetInt32();
}
