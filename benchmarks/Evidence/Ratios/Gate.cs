using Evidence.Programs;

namespace Evidence.Ratios;

/// <summary>What a pipeline holds on any machine: figures that do not depend on its speed, and a ratio with room for its noise. Takes half a minute.</summary>
internal static class Gate
{
    private static readonly Shape s_shape = new(10, 200);
    private static readonly RatioPlan s_plan = new(Pairs: 3, new Timing(Seconds: 2, Warmup: 2), Results: null);

    /// <returns>The exit code: 0 if all holds, else 1.</returns>
    public static int Run()
    {
        var run = PairedRun.Measure(s_shape, s_plan, hasLimit: false);
        bool[] held =
        [
            AtMost("bytes allocated per call, client", run.Mux(figures => figures.ClientBytesPerCall), 330),
            AtMost("bytes allocated per call, server", run.Mux(figures => figures.ServerBytesPerCall), 120),
            AtMost("sends per call, client", run.Mux(figures => figures.ClientSendsPerCall), 0.05),
            AtMost("sends per call, server", run.Mux(figures => figures.ServerSendsPerCall), 0.05),
            AtLeast("calls per second, Mux to yardstick", run.RateRatio.Median, 0.35),
        ];
        return held.All(one => one) ? 0 : 1;
    }

    private static bool AtMost(string name, double value, double most) => Tell(name, value, value <= most, $"at most {most}");

    private static bool AtLeast(string name, double value, double least) => Tell(name, value, value >= least, $"at least {least}");

    private static bool Tell(string name, double value, bool holds, string limit)
    {
        Console.WriteLine($"{(holds ? "holds" : "FAILED")}: {name} at {s_shape} is {value:0.###}, allowed is {limit} (median of {s_plan.Pairs})");
        return holds;
    }
}
