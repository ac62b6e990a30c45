using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Ratios;

/// <summary>What a pipeline holds on any machine: figures that do not depend on its speed, and a ratio with room for its noise. Five pairs of each take a minute and a half.</summary>
internal static class Gate
{
    /// <summary>Median microseconds of the yardstick's lone calls from which on the machine is in a slow phase: 9 without.</summary>
    private const double SlowFrom = 12;

    private static readonly Shape s_shape = new(10, 200), s_lone = new(1, 1);
    private static readonly Timing s_calls = new(Seconds: 2, Warmup: 2), s_echoes = new(Seconds: 1.5, Warmup: 1.5);

    /// <returns>The exit code: 0 if all holds, else 1.</returns>
    public static int Run(CommandLine options)
    {
        int pairs = options.Count("--pairs", otherwise: 5, least: 1, most: 99);
        Console.WriteLine($"medians of {pairs} pairs");
        var run = MeasureCalls();
        bool[] held =
        [
            AtMost(At("bytes allocated per call, client"), run.Mux(figures => figures.ClientBytesPerCall), 330),
            AtMost(At("bytes allocated per call, server"), run.Mux(figures => figures.ServerBytesPerCall), 120),
            AtMost(At("sends per call, client"), run.Mux(figures => figures.ClientSendsPerCall), 0.05),
            AtMost(At("sends per call, server"), run.Mux(figures => figures.ServerSendsPerCall), 0.05),
            AtLeast(At("calls per second, Mux to yardstick"), run.RateRatio.Median, 0.5, () => MeasureCalls().RateRatio.Median),
            AtLeast($"bytes per second of echoes, {SizeStep.Fragmented} to {SizeStep.Whole} bytes", MeasureStep(), 0.6, MeasureStep, mayBeSkipped: true),
        ];
        return held.All(one => one) ? 0 : 1;

        PairedRun MeasureCalls() => PairedRun.Measure(s_shape, new RatioPlan(pairs, s_calls, Results: null), hasLimit: false);

        double MeasureStep() => SizeStep.Measure(pairs, s_echoes);
    }

    private static string At(string name) => $"{name} at {s_shape}";

    private static bool AtMost(string name, double value, double most) => Tell(name, value, value <= most, $"at most {most}");

    /// <summary>
    /// A ratio of rates has noise: only one that is missed twice in a row is missed. And where threads wake each other slowly, one that depends on it tells of
    /// the machine: it is not judged there, and counts as skipped.
    /// </summary>
    private static bool AtLeast(string name, double value, double least, Func<double> again, bool mayBeSkipped = false)
    {
        if (value < least)
        {
            Console.WriteLine($"{name} is {value:0.###}, less than {least}: measured once more");
            value = again();
        }

        if (mayBeSkipped && value < least)
        {
            double lone = Estimate.MedianOf(Enumerable.Range(0, 3).Select(_ => Yardstick.Run(s_lone, s_echoes, isRecording: true).P50));
            if (lone > SlowFrom)
            {
                Console.WriteLine($"skipped: {name} is {value:0.###}, less than {least}, while a lone call of the yardstick takes {lone:0.#} us, more than {SlowFrom}: a slow phase");
                return true;
            }
        }

        return Tell(name, value, value >= least, $"at least {least}");
    }

    private static bool Tell(string name, double value, bool holds, string limit)
    {
        Console.WriteLine($"{(holds ? "holds" : "FAILED")}: {name} is {value:0.###}, allowed is {limit}");
        return holds;
    }
}
