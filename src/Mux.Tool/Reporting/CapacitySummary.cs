using Mux.Tool.Capacity;
using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Text report of a search: a line per rate that was tried, and the answer.</summary>
internal static class CapacitySummary
{
    private const int Width = 80;

    public static IEnumerable<string> Heading(BenchOutcome probe, Objectives objectives)
    {
        var configuration = probe.Configuration;
        yield return $"{configuration.Workload} calls to {probe.Address}{(configuration.Target is null ? " (own server process)" : "")}";
        var search = $"the highest rate that holds {objectives}, over {configuration.Connections} " +
            $"{(configuration.Connections == 1 ? "connection" : "connections")}";
        foreach (var line in TextLines.Wrap(search, Width)) yield return line;
        foreach (var line in EnvironmentLines.Machines(probe.ClientEnvironment, probe.ServerEnvironment)) yield return line;
        yield return $"closed loop of {configuration.InFlight} in flight each: {Quantity.Count(probe.Rate)} calls/s";
    }

    public static string StepLine(CapacityStep step, Objectives objectives)
    {
        double quantile = objectives.Latencies.Count == 0 ? 0.99 : objectives.Latencies.Max(latency => latency.Quantile);
        var votes = string.Concat(step.Runs.Select(run => run.Verdict switch { StepVerdict.Held => '+', StepVerdict.Broken => '-', _ => '?' }));
        bool isOther = step.Finding.Reason.Length > 0 && !step.Finding.Reason.StartsWith('p');
        var why = isOther ? step.Finding.Reason
            : $"p{Quantity.Decimal(100 * quantile, "0.##")} {Quantity.Microseconds(step.Typical.Response.Percentile(quantile))} us";
        return $"{step.Purpose,-12} {Quantity.Count(step.Rate),10}/s  {step.Finding.Verdict.ToString().ToLowerInvariant(),-9} {votes,-3}  {why}";
    }

    public static IEnumerable<string> Lines(CapacityResult result, double minRate)
    {
        var answer = result.Answer;
        yield return "";
        var lines = answer.IsLimitedByGenerator ? LimitedLines(answer)
            : answer.Rate > 0 ? AnswerLines(answer)
            : TextLines.Wrap($"No rate down to {LowestOf(answer)} calls/s {(answer.IsAtLeast ? $"could be judged: {answer.AtLeastBecause}"
                : $"holds {result.Search.Objectives}")}.", Width);
        foreach (var line in lines) yield return line;
        if (answer is { Rate: 0, IsAtLeast: false } && minRate > 1)
        {
            yield return $"Below {Quantity.Count(Math.Ceiling(minRate))} calls/s a run of {Quantity.Seconds(CapacitySearch.LongestRun)} has too few " +
                "replies to tell.";
        }

        if (answer.Rate > 0 && result.ComputedLimit is { } limit)
        {
            yield return $"computed: {Quantity.Count(limit)} calls/s, of {result.Probe.Handlers!.Workers} " +
                $"{(result.Probe.Handlers.Workers == 1 ? "worker" : "workers")} at "
                + $"{Quantity.Decimal(1e6 * result.Probe.Handlers.Workers / limit, "0.0")} us per handler as measured";
        }
    }

    private static IEnumerable<string> LimitedLines(CapacityAnswer answer)
    {
        yield return answer.Rate == 0 ? $"limited by the generator: no rate down to {LowestOf(answer)} calls/s could be judged"
            : $"limited by the generator: the capacity is at least {Quantity.Count(answer.Rate)} calls/s";
        var limit = answer.Steps.Where(step => step.IsGeneratorLimit).MinBy(step => step.Rate)!;
        yield return $"At {Quantity.Count(limit.Rate)} calls/s: {limit.Finding.Reason}.";
        yield return "What the server can do is not known. Run the generator on a machine of its own,";
        yield return "with nothing else, or let it make calls later with --max-lag.";
    }

    private static IEnumerable<string> AnswerLines(CapacityAnswer answer)
    {
        yield return $"capacity: {(answer.IsAtLeast ? "at least " : "")}{Quantity.Count(answer.Rate)} calls/s";
        if (answer.IsAtLeast) yield return $"The limit may be higher: {answer.AtLeastBecause}.";
        else if (!answer.IsConfirmed) yield return "Not confirmed: long runs at these rates did not hold. An unsteady machine?";
        else yield return $"held in long runs; {Quantity.Count(answer.Rate * 1.1)} calls/s did not ({answer.Steps[^1].Finding.Reason})";
    }

    private static string LowestOf(CapacityAnswer answer) => Quantity.Count(answer.Steps.Min(step => step.Rate));
}
