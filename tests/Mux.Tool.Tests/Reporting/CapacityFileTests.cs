using System.Text.Json;
using Mux.Tool.Capacity;
using Mux.Tool.Measuring;
using Mux.Tool.Reporting;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Tests.Reporting;

public sealed class CapacityFileTests
{
    // What README.md documents; a change here is a change of the schema.
    private static readonly Dictionary<string, string[]> s_fields = new(StringComparer.Ordinal)
    {
        [""] = ["schema", "environment", "configuration", "search", "answer", "steps"],
        ["search"] = ["slo", "precision", "step_s", "probe_rate", "max_lag_us"],
        ["answer"] = ["rate", "at_least", "at_least_because", "confirmed", "computed_rate", "limited_by_generator"],
        ["steps"] = ["rate", "purpose", "verdict", "reason", "votes", "answered_rate", "response_us", "service_us", "lag_us", "histogram_us"],
    };

    [Fact]
    public void Every_documented_field_is_there_and_in_the_readme()
    {
        var root = JsonSerializer.Deserialize<JsonElement>(ResultJson.Write(CapacityFile.Of(Make(isAtLeast: false))));
        var readme = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "Tool.README.md"));

        Assert.Equal("mux.capacity/1", root.GetProperty("schema").GetString());
        foreach (var (path, names) in s_fields)
        {
            var element = path.Length == 0 ? root : root.GetProperty(path);
            if (element.ValueKind == JsonValueKind.Array) element = element[0];
            Assert.Equal(names, element.EnumerateObject().Select(property => property.Name));
            foreach (var name in names) Assert.Contains($"`{name}`", readme, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_answer_that_the_generator_limits_says_at_least_and_is_no_success()
    {
        var result = Make(isAtLeast: true);

        var lines = CapacitySummary.Lines(result, minRate: 1).ToArray();

        Assert.Equal("limited by the generator: the capacity is at least 1,000 calls/s", lines.First(line => line.Length > 0));
        Assert.Contains("At 10,999,999 calls/s: calls made late, lag p99 1,000,000 us.", lines);
        Assert.DoesNotContain(lines, line => line.StartsWith("capacity:", StringComparison.Ordinal));
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 80));
        Assert.Equal(ExitCode.Invalid, result.ExitCode);
    }

    [Fact]
    public void Its_lines_fit_80_columns()
    {
        var result = Make(isAtLeast: false);

        Assert.All(CapacitySummary.Lines(result, minRate: 1), line => Assert.InRange(line.Length, 0, 80));
        Assert.All(result.Answer.Steps, step => Assert.InRange(CapacitySummary.StepLine(step, result.Search.Objectives).Length, 0, 80));
    }

    internal static CapacityResult Make(bool isAtLeast)
    {
        var probe = Outcomes.MakeOpen();
        var run = new StepMeasurement(1_000, TimeSpan.FromSeconds(10), 10_000, 0, 0, probe.Latencies, probe.Latencies, probe.Latencies, [1]);
        var held = new StepFinding(StepVerdict.Held, "");
        var broken = isAtLeast ? new StepFinding(StepVerdict.Saturated, "calls made late, lag p99 1,000,000 us") : new StepFinding(StepVerdict.Broken, "only 98.7 % answered");
        CapacityStep[] steps = [new(9_999_999, "confirmation", held, [held, held], run), new(10_999_999, "above", broken, [broken, held, broken], run)];
        var usage = new ProcessUsage(1, 1, 1, 1, 1, 1, 1) { HandlerCalls = 1_000, HandlerMicroseconds = 50_000 };
        return new CapacityResult(
            probe.Configuration,
            new CapacityParameters(Objectives.Parse("p99<2ms", out _)!, 0.03, TimeSpan.FromSeconds(2)),
            probe,
            new CapacityAnswer(1_000, isAtLeast, true, isAtLeast ? "calls made late, lag p99 1,000,000 us" : "", steps) { IsLimitedByGenerator = isAtLeast },
            [probe with { Server = usage }]);
    }
}
