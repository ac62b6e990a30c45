namespace Mux.Runtime;

/// <summary>
/// Estimates by sampling how many busy threads wait for something: asking the system about one thread costs 10 us, and there may be thousands. Used by the
/// monitor alone.
/// </summary>
internal sealed class StuckShare
{
    /// <summary>Threads sampled per look: some 80 us of at least a millisecond between two looks.</summary>
    public const int SampleSize = 8;

    /// <summary>Weight of a new sample if it does not cover all threads: eight of many are off by a tenth or two.</summary>
    private const double Weight = 0.5;

    private double _share;

    /// <summary>Estimated number of busy threads that wait.</summary>
    public int Estimate { get; private set; }

    /// <summary>Adds a sample.</summary>
    /// <param name="stuck">Number of waiting threads in the sample.</param>
    /// <param name="sampled">Size of the sample.</param>
    /// <param name="busy">Number of busy threads.</param>
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
