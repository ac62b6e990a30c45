namespace Mux.Execution;

/// <summary>
/// Estimates how many of the busy threads wait for something, by a sample: to ask the system about one costs 10 us, and there may be thousands. The monitor's
/// alone.
/// </summary>
internal sealed class StuckShare
{
    /// <summary>Threads that are asked at each look: some 80 us, of at least a millisecond between two looks.</summary>
    public const int SampleSize = 8;

    /// <summary>What a new sample adds to the estimate where it is not the whole: with eight of many, one look is off by a tenth or two.</summary>
    private const double Weight = 0.5;

    private double _share;

    /// <summary>Threads that wait, of all that are busy.</summary>
    public int Estimate { get; private set; }

    /// <summary>Takes in one sample.</summary>
    /// <param name="stuck">Of the sample.</param>
    /// <param name="sampled">Its size.</param>
    /// <param name="busy">All busy threads.</param>
    public void Add(int stuck, int sampled, int busy)
    {
        if (sampled == 0)
        {
            _share = 0;
            Estimate = 0;
            return;
        }

        double share = (double)stuck / sampled;
        _share = sampled == busy ? share : _share + ((share - _share) * Weight);
        Estimate = (int)Math.Round(_share * busy);
    }
}
