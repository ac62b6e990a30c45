namespace Mux.Transports.Epoll;

/// <summary>
/// What a loop watches, by the number that the kernel reports with each event: place and generation, never the handle, which the system gives to somebody else
/// as soon as it is closed. A number whose source was removed finds nothing. The leader's alone.
/// </summary>
internal sealed class Registrations
{
    private readonly Stack<int> _free = [];
    private Entry[] _entries = new Entry[16];
    private int _used;

    /// <summary>How many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Makes a place for a source.</summary>
    /// <returns>Its number: generation in the upper half, place in the lower. Never <see cref="ulong.MaxValue"/>.</returns>
    public ulong Add(ILoopSource source)
    {
        if (!_free.TryPop(out int place))
        {
            if (_used == _entries.Length) Array.Resize(ref _entries, _used * 2);
            place = _used++;
        }

        _entries[place].Source = source;
        Count++;
        return ((ulong)_entries[place].Generation << 32) | (uint)place;
    }

    /// <summary>Null for a number that is not in use any more.</summary>
    public ILoopSource? Find(ulong number)
    {
        uint place = (uint)number;
        return place < (uint)_used && _entries[place].Generation == (uint)(number >> 32) ? _entries[place].Source : null;
    }

    /// <summary>Frees the place of a number in use; the next source there gets another number.</summary>
    public void Remove(ulong number)
    {
        if (Find(number) is null) return;
        ref var entry = ref _entries[(uint)number];
        entry.Source = null;
        entry.Generation++; // wraps after 4 billion sources in one place: by then no event of the first can be on its way
        _free.Push((int)(uint)number);
        Count--;
    }

    private struct Entry
    {
        public ILoopSource? Source;
        public uint Generation;
    }
}
