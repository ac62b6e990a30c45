namespace Mux.Tool.Measuring;

/// <summary>
/// Calls in flight, sampled in even steps. In a long run every second sample is dropped, again and again, so that there are never more than
/// <see cref="Capacity"/>. For one writer and any number of readers.
/// </summary>
internal sealed class InFlightTrace
{
    public const int Capacity = 4096;

    private readonly Lock _gate = new(); // guards all fields below
    private readonly List<int> _samples = new(Capacity);
    private int _step = 1;
    private int _skipped;

    /// <summary>Drops all samples.</summary>
    public void Restart()
    {
        lock (_gate)
        {
            _samples.Clear();
            (_step, _skipped) = (1, 0);
        }
    }

    public void Add(int open)
    {
        lock (_gate)
        {
            if (++_skipped < _step) return;
            _skipped = 0;
            if (_samples.Count == Capacity)
            {
                for (int i = 0; i < Capacity / 2; i++) _samples[i] = _samples[2 * i + 1];
                _samples.RemoveRange(Capacity / 2, Capacity / 2);
                _skipped = _step; // this sample is halfway to the next one that is kept
                _step *= 2;
                return;
            }

            _samples.Add(open);
        }
    }

    public int[] Samples()
    {
        lock (_gate) return [.. _samples];
    }
}
