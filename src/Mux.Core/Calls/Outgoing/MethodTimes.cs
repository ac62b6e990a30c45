using System.Numerics;

namespace Mux.Calls;

/// <summary>How long the calls of one method take on one channel, whichever of its proxies makes them. Safe for concurrent use.</summary>
internal sealed class MethodTimes
{
    private readonly Lock _gate = new(); // guards the histogram
    private readonly HedgeDelay _delay = new();

    /// <summary>Adds the duration of a call that succeeded, in microseconds.</summary>
    public void Add(long microseconds)
    {
        lock (_gate) _delay.Add(microseconds);
    }

    /// <inheritdoc cref="HedgeDelay.TryGet"/>
    public bool TryGetDelay(out long microseconds)
    {
        lock (_gate) return _delay.TryGet(out microseconds);
    }
}

/// <summary>
/// The time after which a second copy of a call is worth its cost: the 95th percentile of the method's calls, so that at most one in twenty is sent twice
/// (Dean and Barroso, "The Tail at Scale", 2013). A histogram with eight steps per doubling: a delay is at most an eighth too long. Old samples lose weight.
/// Not safe for concurrent use; its owner guards it.
/// </summary>
internal sealed class HedgeDelay
{
    /// <summary>Samples without which there is no delay, and no hedge.</summary>
    public const int LeastSamples = 100;

    private const int Percentile = 95;
    private const int StepBits = 3;
    private const int Steps = 1 << StepBits;
    private const int Doublings = 40; // up to 12 days
    private const int MostSamples = 4_096; // then all counts are halved: what changes shows after some thousand calls

    private readonly int[] _counts = new int[Steps * Doublings];
    private int _samples;

    /// <summary>Adds the duration of a call that succeeded.</summary>
    public void Add(long microseconds)
    {
        _counts[StepOf(microseconds)]++;
        if (++_samples < MostSamples) return;
        _samples = 0;
        for (int step = 0; step < _counts.Length; step++) _samples += _counts[step] /= 2;
    }

    /// <summary>Gets the delay in microseconds, rounded up to a step.</summary>
    /// <returns>False if there are too few samples.</returns>
    public bool TryGet(out long microseconds)
    {
        microseconds = 0;
        if (_samples < LeastSamples) return false;
        long wanted = ((_samples * (long)Percentile) + 99) / 100, seen = 0;
        int step = 0;
        while ((seen += _counts[step]) < wanted) step++;
        microseconds = EndOf(step);
        return true;
    }

    private static int StepOf(long microseconds)
    {
        ulong value = (ulong)Math.Max(0, microseconds);
        if (value < Steps) return (int)value;
        int doubling = BitOperations.Log2(value) - StepBits;
        return Math.Min((doubling + 1) * Steps + (int)((value >> doubling) & (Steps - 1)), (Steps * Doublings) - 1);
    }

    /// <summary>Gets the first value behind a step.</summary>
    private static long EndOf(int step)
    {
        if (step < Steps) return step + 1;
        int doubling = (step >> StepBits) - 1;
        return (long)(Steps + (step & (Steps - 1)) + 1) << doubling;
    }
}
