using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Ratios;

/// <summary>Mux and the yardstick in one shape, in turns, so that both have the same minutes, and the limit where it was asked for.</summary>
internal sealed class PairedRun
{
    private readonly List<BenchFigures> _mux = [];
    private readonly List<YardstickFigures> _yardstick = [];

    private readonly List<double> _limit = [];

    private PairedRun()
    {
    }

    /// <summary>Calls per second, Mux to yardstick.</summary>
    public Estimate RateRatio => Estimate.Of([.. _mux.Zip(_yardstick, (mux, yardstick) => mux.Rate / yardstick.Rate)]);

    /// <summary>Median latencies, Mux to yardstick.</summary>
    public Estimate P50Ratio => Estimate.Of([.. _mux.Zip(_yardstick, (mux, yardstick) => mux.P50 / yardstick.P50)]);

    /// <param name="shape">What is measured.</param>
    /// <param name="plan">How often and how long.</param>
    /// <param name="hasLimit">Whether the C program has its turns, too.</param>
    /// <param name="isRecording">Whether both take the time of each call. Else the yardstick takes none, and <c>mux bench</c> that of one call in eight.</param>
    public static PairedRun Measure(Shape shape, RatioPlan plan, bool hasLimit, bool isRecording = false)
    {
        var run = new PairedRun();
        string[] timing = isRecording ? [] : ["--time-every", "8"];
        for (int pair = 1; pair <= plan.Pairs; pair++)
        {
            Console.Error.WriteLine($"{shape}: pair {pair} of {plan.Pairs}");
            run._mux.Add(MuxTool.Bench([.. shape.Arguments, .. timing, .. plan.Timing.Arguments]));
            run._yardstick.Add(Yardstick.Run(shape, plan.Timing, isRecording));
            if (hasLimit) run._limit.Add(Limit.Run(shape));
        }

        return run;
    }

    /// <summary>The run of Mux with the median rate.</summary>
    public BenchFigures Typical() => _mux.OrderBy(figures => figures.Rate).ElementAt((_mux.Count - 1) / 2);

    /// <summary>Round trips per second of the C program; null where it had no turns.</summary>
    public double? LimitRate => _limit.Count == 0 ? null : Estimate.MedianOf(_limit);

    public double Mux(Func<BenchFigures, double> figure) => Estimate.MedianOf(_mux.Select(figure));

    public double OfYardstick(Func<YardstickFigures, double> figure) => Estimate.MedianOf(_yardstick.Select(figure));
}
