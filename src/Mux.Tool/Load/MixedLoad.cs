namespace Mux.Tool.Load;

/// <summary>Measured calls in addition to bulk.</summary>
internal sealed class MixedLoad(Load calls, Load bulk) : Load
{
    /// <summary>Counts of the calls, except that open bulk counts as open too: the end of the run waits for it.</summary>
    public override LaneCounts Counts
    {
        get
        {
            var counts = calls.Counts;
            return counts with { Open = counts.Open + bulk.Counts.Open };
        }
    }

    public override Task RunAsync() => Task.WhenAll(calls.RunAsync(), bulk.RunAsync());

    public override void BeginMeasurement() => calls.BeginMeasurement();
}
