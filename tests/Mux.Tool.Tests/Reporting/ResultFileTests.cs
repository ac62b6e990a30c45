using System.Text.Json;
using Mux.Tool.Load;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Serving;

namespace Mux.Tool.Tests.Reporting;

public sealed class ResultFileTests
{
    // What README.md documents; a change here is a change of the schema.
    private static readonly Dictionary<string, string[]> s_fields = new(StringComparer.Ordinal)
    {
        [""] = ["schema", "environment", "configuration", "results", "ci", "runs", "spread", "slo"],
        ["environment"] = ["client", "server", "date", "command", "congestion_note"],
        ["environment.client"] = ["tool", "runtime", "gc", "cpus", "os", "architecture", "congestion_control", "engine", "cpu_model", "kernel"],
        ["environment.server"] = ["tool", "runtime", "gc", "cpus", "os", "architecture", "congestion_control", "engine", "cpu_model", "kernel"],
        ["configuration"] = ["target", "own_server", "workload", "unit", "size", "connections", "in_flight", "warmup_s", "duration_s", "congestion", "time_every", "rate", "max_open", "max_lag_us", "stream_items", "window", "bulk_on", "bulk_in_flight", "deadline_us", "cancel_share", "handlers", "repeat", "profile", "calls", "metadata", "churn_rate", "shape", "requests", "requests_hash", "timeout_us"],
        ["configuration.handlers"] = ["slow_share", "slow_us", "cost_us", "workers"],
        ["results"] = ["elapsed_s", "calls", "rate", "mb_per_s", "interrupted", "errors", "outcomes", "latency_us", "slow_us", "others_us", "bulk", "schedule", "items", "churn", "endpoints", "handler_us", "levels", "client", "server", "series", "histogram_us"],
        ["results.errors"] = ["wrong", "lost", "protocol", "failed", "connection_lost"],
        ["results.outcomes"] = ["made", "answered", "failed", "deadline_exceeded", "cancelled", "cancels_chosen", "lost", "unaccounted", "cut"],
        ["results.items"] = ["received", "received_per_s", "sent", "sent_per_s", "first_us"],
        ["results.bulk"] = ["replies", "latency_us", "bytes_ahead", "bound_us"],
        ["results.latency_us"] = ["min", "p50", "p90", "p99", "p999", "max", "count"],
        ["results.schedule"] = ["target_rate", "made", "dropped", "valid", "invalid_because", "granularity_us", "lag_us", "service_us", "in_flight"],
        ["results.churn"] = ["target_rate", "connects", "rate", "errors", "last_failure", "latency_us"],
        ["results.endpoints"] = ["address", "calls", "share", "failed", "latency_us", "not_reached"],
        ["runs"] = ["ci", "results"],
        ["spread.rate"] = ["min", "median", "max"],
        ["results.levels"] = ["from_ms", "to_ms", "calls"],
        ["results.client"] = ["cpu_us", "allocated_bytes", "calls", "sends", "receives", "take_overs", "cpu_us_per_call", "bytes_per_call", "calls_per_send", "gen0", "gen1", "gen2"],
        ["results.server"] = ["cpu_us", "allocated_bytes", "calls", "sends", "receives", "take_overs", "cpu_us_per_call", "bytes_per_call", "calls_per_send", "gen0", "gen1", "gen2"],
        ["results.series"] = ["at_s", "length_s", "calls", "rate", "p50_us", "p99_us", "errors", "p999_us", "open", "dropped"],
        ["ci"] =
        [
            "rate", "errors", "p50_us", "p99_us", "p999_us", "client_cpu_us_per_call", "server_cpu_us_per_call", "client_bytes_per_call", "server_bytes_per_call",
            "calls_per_send", "mb_per_s", "connects_per_s", "connect_errors", "connect_p50_us", "connect_p99_us",
            "items_per_s", "first_p50_us", "first_p99_us", "slo_met",
        ],
        ["slo"] = ["objectives", "met", "outcomes"],
        ["slo.outcomes"] = ["objective", "actual", "limit", "met"],
    };

    [Fact]
    public void Every_documented_field_is_there_and_no_other()
    {
        var root = Write(Outcomes.MakeWithEverything(), Outcomes.MakeWithEverything());

        foreach (var (path, names) in s_fields) Assert.Equal(names, Find(root, path).EnumerateObject().Select(property => property.Name));
    }

    [Fact]
    public void Every_field_is_in_the_readme()
    {
        var readme = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Tool.README.md"));

        foreach (var name in s_fields.Values.SelectMany(names => names).Distinct()) Assert.Contains($"`{name}`", readme, StringComparison.Ordinal);
    }

    [Fact]
    public void It_names_its_schema() => Assert.Equal("mux.bench/1", Write(Outcomes.Make(1_000)).GetProperty("schema").GetString());

    [Fact]
    public void The_histogram_holds_every_call_and_the_levels_too()
    {
        var results = Write(Outcomes.Make(1_000, 1_000, 60_000_000, 999_999)).GetProperty("results");

        var buckets = results.GetProperty("histogram_us").EnumerateArray().Select(bucket => bucket.EnumerateArray().Select(number => number.GetDouble()).ToArray()).ToArray();
        Assert.Equal(3, buckets.Length);
        Assert.Equal(4, buckets.Sum(bucket => bucket[2]));
        Assert.All(buckets, bucket => Assert.True(bucket[0] < bucket[1]));
        Assert.Equal([2, 0, 0, 1, 0, 1], results.GetProperty("levels").EnumerateArray().Select(level => level.GetProperty("calls").GetInt64()));
    }

    [Fact]
    public void A_server_that_does_not_tell_leaves_nulls()
    {
        var root = Write(Outcomes.Make(1_000) with { Server = null, ServerEnvironment = null });

        foreach (var path in (string[])["environment.server", "results.server", "ci.server_cpu_us_per_call", "ci.server_bytes_per_call"])
            Assert.Equal(JsonValueKind.Null, Find(root, path).ValueKind);
    }

    [Fact]
    public void Hand_offs_of_both_ends_are_there()
    {
        var outcome = Outcomes.Make(1_000);
        var server = new ServerReport { TakeOvers = 7, Receives = 70 }.ToUsage(); // as it came over the wire

        var root = Write(outcome with { Client = outcome.Client with { TakeOvers = 3, Receives = 30 }, Server = server });

        Assert.Equal([3, 30, 7, 70], ((string[])["client.take_overs", "client.receives", "server.take_overs", "server.receives"]).Select(field => Find(root, $"results.{field}").GetInt64()));
    }

    [Fact]
    public void Errors_of_every_kind_count_in_the_flat_part()
    {
        var outcome = Outcomes.Make(1_000) with { WrongReplies = 1, LostReplies = 10, ProtocolErrors = 100, Failures = new Dictionary<MuxStatus, long> { [MuxStatus.Internal] = 1_000 } };

        var root = Write(outcome);

        Assert.Equal(1_111, Find(root, "ci.errors").GetInt64());
        Assert.Equal(1_000, Find(root, "results.errors.failed.Internal").GetInt64());
    }

    [Fact]
    public void Bulk_is_told_in_megabytes_and_with_what_may_stand_before_a_call()
    {
        var root = Write(Outcomes.MakeMixed(replies: 8, size: 4_000_000, seconds: 2));

        Assert.Equal(16, Find(root, "ci.mb_per_s").GetDouble());
        Assert.Equal(8, Find(root, "results.bulk.replies").GetInt64());
        Assert.Equal(229_376, Find(root, "results.bulk.bytes_ahead").GetInt32());
        Assert.Equal(229_376 / 16.0, Find(root, "results.bulk.bound_us").GetDouble());
    }

    [Fact]
    public void A_call_without_an_outcome_or_with_two_is_an_error()
    {
        var right = Outcomes.Make(1_000) with { Calls = new CallOutcomes(Made: 10, Answered: 5, Failed: 0, DeadlineExceeded: 2, Cancelled: 3, Lost: 0) };

        Assert.Equal(0, right.Errors);
        Assert.Equal(ExitCode.Success, right.ExitCode);
        foreach (int answered in (int[])[4, 6])
        {
            var wrong = right with { Calls = right.Calls! with { Answered = answered } };
            Assert.Equal(1, wrong.Errors);
            Assert.Equal(ExitCode.Faulty, wrong.ExitCode);
            Assert.Contains("not every call had exactly one outcome", Assert.Single(Problems.Lines(wrong)), StringComparison.Ordinal);
        }
    }

    private static JsonElement Write(params BenchOutcome[] runs) => JsonSerializer.SerializeToElement(ResultFile.Of(new BenchRuns(runs)), ResultJson.Readable.ResultFile);

    /// <summary>The element at a path; of an array the first item.</summary>
    private static JsonElement Find(JsonElement root, string path)
    {
        foreach (var name in path.Split('.', StringSplitOptions.RemoveEmptyEntries))
        {
            root = root.GetProperty(name);
            if (root.ValueKind == JsonValueKind.Array) root = root[0];
        }

        return root;
    }
}
