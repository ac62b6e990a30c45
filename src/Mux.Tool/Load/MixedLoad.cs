namespace Mux.Tool.Load;

/// <summary>Calls that are measured beside bulk that is not waited for.</summary>
internal sealed class MixedLoad(Load calls, Load bulk) : Load
{
    /// <summary>Of the calls, but all that is open: the bulk is waited for at the end as well.</summary>
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
