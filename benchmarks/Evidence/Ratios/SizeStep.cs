using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Ratios;

/// <summary>Echoes of a message in fragments and of one in a single frame, in turns: bytes per second of the first to those of the second.</summary>
internal static class SizeStep
{
    /// <summary>The longest round number of bytes that one frame carries, and one that takes two.</summary>
    public const int Whole = 16_000, Fragmented = 20_000;

    private static readonly Shape s_shape = new(1, 32);

    public static double Measure(int pairs, Timing timing)
    {
        var ratios = new List<double>();
        for (int pair = 1; pair <= pairs; pair++)
        {
            Console.Error.WriteLine($"echo of {Fragmented} and of {Whole} bytes: pair {pair} of {pairs}");
            ratios.Add(Rate(Fragmented) * Fragmented / (Rate(Whole) * Whole));
        }

        return Estimate.MedianOf(ratios);

        double Rate(int size) => MuxTool.Bench(["--workload", "echo", "--size", $"{size}", .. s_shape.Arguments, .. timing.Arguments]).Rate;
    }
}
