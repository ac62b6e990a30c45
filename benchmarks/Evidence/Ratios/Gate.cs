using Evidence.Programs;

namespace Evidence.Ratios;

/// <summary>What a pipeline holds on any machine: figures that do not depend on its speed, and a ratio with room for its noise. Takes a minute and a half.</summary>
internal static class Gate
{
    private static readonly Shape s_shape = new(10, 200);
    private static readonly RatioPlan s_plan = new(Pairs: 5, new Timing(Seconds: 2, Warmup: 2), Results: null);
    private static readonly Timing s_echoes = new(Seconds: 1.5, Warmup: 1.5);

    /// <returns>The exit code: 0 if all holds, else 1.</returns>
    public static int Run()
    {
        var run = PairedRun.Measure(s_shape, s_plan, hasLimit: false);
        bool[] held =
        [
            AtMost(At("bytes allocated per call, client"), run.Mux(figures => figures.ClientBytesPerCall), 330),
            AtMost(At("bytes allocated per call, server"), run.Mux(figures => figures.ServerBytesPerCall), 120),
            AtMost(At("sends per call, client"), run.Mux(figures => figures.ClientSendsPerCall), 0.05),
            AtMost(At("sends per call, server"), run.Mux(figures => figures.ServerSendsPerCall), 0.05),
            AtLeast(At("calls per second, Mux to yardstick"), run.RateRatio.Median, 0.5, () => PairedRun.Measure(s_shape, s_plan, hasLimit: false).RateRatio.Median),
            AtLeast($"bytes per second of echoes, {SizeStep.Fragmented} to {SizeStep.Whole} bytes", MeasureStep(), 0.6, MeasureStep),
        ];
        return held.All(one => one) ? 0 : 1;
    }

    private static double MeasureStep() => SizeStep.Measure(s_plan.Pairs, s_echoes);

    private static string At(string name) => $"{name} at {s_shape}";

    private static bool AtMost(string name, double value, double most) => Tell(name, value, value <= most, $"at most {most}");

    /// <summary>A ratio of rates has noise: only one that is missed twice in a row is missed.</summary>
    private static bool AtLeast(string name, double value, double least, Func<double> again)
    {
        if (value < least)
        {
            Console.WriteLine($"{name} is {value:0.###}, less than {least}: measured once more");
            value = again();
        }

        return Tell(name, value, value >= least, $"at least {least}");
    }

    private static bool Tell(string name, double value, bool holds, string limit)
    {
        Console.WriteLine($"{(holds ? "holds" : "FAILED")}: {name} is {value:0.###}, allowed is {limit} (median of {s_plan.Pairs})");
        return holds;
    }
}
