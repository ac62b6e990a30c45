namespace Mux.Runtime;

/// <summary>
/// Sources of a loop, by the number that the kernel reports with each event: place and generation, never the handle, which the system reuses as soon as it is
/// closed. The number of a removed source finds nothing. Owned by the leader.
/// </summary>
internal sealed class Registrations
{
    private readonly Stack<int> _free = [];
    private Entry[] _entries = new Entry[16];
    private int _used;

    /// <summary>Number of registered sources.</summary>
    public int Count { get; private set; }

    /// <summary>Registers a source.</summary>
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

    /// <summary>Returns the source, or null if the number is no longer in use.</summary>
    public ILoopSource? Find(ulong number)
    {
        uint place = (uint)number;
        return place < (uint)_used && _entries[place].Generation == (uint)(number >> 32) ? _entries[place].Source : null;
    }

    /// <summary>Removes the source of a number in use; the next source in its place gets another number.</summary>
    public void Remove(ulong number)
    {
        if (Find(number) is null) return;
        ref var entry = ref _entries[(uint)number];
        entry.Source = null;
        entry.Generation++; // wraps after 4 billion sources in one place: no event of the first one can still be under way
        _free.Push((int)(uint)number);
        Count--;
    }

    private struct Entry
    {
        public ILoopSource? Source;
        public uint Generation;
    }
}
