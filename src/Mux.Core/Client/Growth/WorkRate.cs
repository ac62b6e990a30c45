namespace Mux.Client;

/// <summary>Computes how much was done per second over the last second, from looks some 100 ms apart. Pure.</summary>
internal sealed class WorkRate
{
    /// <summary>The time over which the rate is computed, microseconds: a little more than ten looks, whose times vary.</summary>
    public const long Window = 1_050_000;

    private const int Places = 16;

    private readonly (long At, long Work)[] _looks = new (long, long)[Places];
    private int _first;
    private int _count;

    /// <summary>Work per second; 0 before the second look.</summary>
    public double PerSecond
    {
        get
        {
            if (_count < 2) return 0;
            var (oldest, newest) = (_looks[_first], _looks[(_first + _count - 1) % Places]);
            return newest.At == oldest.At ? 0 : (newest.Work - oldest.Work) * 1e6 / (newest.At - oldest.At);
        }
    }

    /// <summary>Notes the work done until now. If it has shrunk, a connection is gone, and what was noted before compares with nothing.</summary>
    public void Add(long now, long work)
    {
        if (_count > 0 && work < _looks[(_first + _count - 1) % Places].Work) Clear();
        if (_count == Places) DropFirst();
        _looks[(_first + _count++) % Places] = (now, work);
        while (now - _looks[_first].At > Window) DropFirst();
    }

    public void Clear() => (_first, _count) = (0, 0);

    private void DropFirst()
    {
        _first = (_first + 1) % Places;
        _count--;
    }
}
