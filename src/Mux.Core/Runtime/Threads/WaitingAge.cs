namespace Mux.Runtime;

/// <summary>
/// Tells how long the first item of a queue has waited, from looks at the positions of the queue. The items carry no time, so queueing one costs nothing.
/// Times in microseconds. Not thread-safe.
/// </summary>
internal sealed class WaitingAge
{
    /// <summary>Looks that are remembered.</summary>
    private const int Capacity = 512;

    /// <summary>Microseconds between two remembered looks: the error of the age, about a 256th of it for a queue that stands for long.</summary>
    private const long LeastSpacing = 1_000;

    private readonly (long At, long Tail)[] _looks = new (long, long)[Capacity]; // oldest first
    private long _spacing = LeastSpacing;
    private int _count;

    /// <summary>Takes a look.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="head">Position of the first item that waits; <paramref name="tail"/> if none does.</param>
    /// <param name="tail">Position behind the last item. Positions count up for ever.</param>
    /// <returns>Time for which the first item has waited at least: since the first look that found it in the queue. 0 if none waits.</returns>
    public long Look(long now, long head, long tail)
    {
        int over = 0;
        while (over < _count && _looks[over].Tail <= head) over++; // all that these looks saw has left the queue
        Forget(over);
        if (_count == 0) _spacing = LeastSpacing;
        if (head == tail) return 0;
        if (_count == 0 || (now - _looks[_count - 1].At >= _spacing && _looks[_count - 1].Tail < tail)) Remember(now, tail);
        return now - _looks[0].At;
    }

    private void Forget(int over)
    {
        if (over == 0) return;
        _count -= over;
        Array.Copy(_looks, over, _looks, 0, _count);
    }

    private void Remember(long now, long tail)
    {
        if (_count == Capacity)
        {
            // The later of each pair is kept, but for the first: an age is then too low, never too high.
            for (int kept = 1; kept < Capacity / 2; kept++) _looks[kept] = _looks[2 * kept + 1];
            _count = Capacity / 2;
            _spacing *= 2;
        }

        _looks[_count++] = (now, tail);
    }
}
