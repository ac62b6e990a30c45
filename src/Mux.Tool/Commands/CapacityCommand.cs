using System.CommandLine;
using System.Globalization;
using Mux.Tool.Capacity;

namespace Mux.Tool.Commands;

/// <summary>The command line of <c>mux capacity</c>.</summary>
internal static class CapacityCommand
{
    public static Command Create()
    {
        var objectives = new Option<Objectives?>("--slo")
        {
            Description = "What must hold, such as p99<2ms,errors<0.1% (percentiles p50 to p99.99 of the response time, and the share of failed calls)",
            HelpName = "OBJECTIVES",
            Required = true,
            CustomParser = result =>
            {
                var read = Objectives.Parse(result.Tokens[0].Value, out var failure);
                if (read is null) result.AddError($"--slo '{result.Tokens[0].Value}': {failure}.");
                return read;
            },
        };
        var precision = CheckedOption.Parsed<double>("--precision", "SHARE", TryReadPrecision, "a share from 0.5% to 50%, such as 3%", "How close to find it, such as 3%");
        precision.DefaultValueFactory = _ => DefaultPrecision;
        var step = CheckedOption.Time("--step", TimeSpan.FromSeconds(2), TimeSpan.FromMilliseconds(200), TimeSpan.FromMinutes(2), "How long a run is; longer where percentiles need more replies");
        var warmup = CheckedOption.Time("--warmup", TimeSpan.FromSeconds(3), TimeSpan.Zero, TimeSpan.FromHours(1), "How long to load before the search");
        var json = CheckedOption.OutputFile("--json", "Write the result to this file as well (schema mux.capacity/1)");

        var load = new LoadOptions();
        var command = new Command("capacity", "Finds the highest rate at which a server holds objectives: ramp, bisection, confirmation, each rate decided by the best two of three runs.");
        command.Options.Add(objectives);
        load.AddTo(command);
        foreach (var option in (Option[])[precision, step, warmup, json]) command.Options.Add(option);
        command.SetAction((result, _) => CapacitySession.RunAsync(
            load.Read(result) with { Warmup = result.GetValue(warmup).Value },
            result.GetRequiredValue(objectives)!,
            result.GetValue(precision) ?? DefaultPrecision,
            result.GetValue(step).Value,
            result.GetValue(json)));
        return command;
    }

    private const double DefaultPrecision = 0.03;

    private static bool TryReadPrecision(string text, out double precision)
    {
        bool isShare = text.EndsWith('%') & double.TryParse(text.AsSpan(0, Math.Max(0, text.Length - 1)), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double percent);
        precision = percent / 100;
        return isShare && precision is >= 0.005 and <= 0.5;
    }
}
