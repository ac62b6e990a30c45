using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Deadlines of a connection's calls, by slot. An entry is written when a call opens and not touched when it completes. It is read only when a page of 64 slots
/// may hold an expired one. An entry may be stale: the reader checks that its call is still open.
/// </summary>
/// <remarks>Guarded by the connection's lock.</remarks>
internal sealed class DeadlineTable
{
    private const int PageBits = 6;
    private const int PageSize = 1 << PageBits;

    private SlotArray<long> _due = new();
    private SlotArray<long> _earliest = new(); // by page: none of its entries is due before this
    private int _pages;

    /// <summary>No entry is due before this.</summary>
    public long NextDue { get; private set; } = Clock.Never;

    /// <summary>Sets the entry of a slot; <see cref="Clock.Never"/> clears it.</summary>
    public void Set(int slot, long due)
    {
        int page = slot >> PageBits;
        while (_pages <= page) AddPage();
        _due[slot] = due;
        if (due < _earliest[page]) _earliest[page] = due;
        if (due < NextDue) NextDue = due;
    }

    /// <summary>
    /// Clears expired entries and returns their slots, up to the length of the span. If it returns fewer, no more have expired and <see cref="NextDue"/> is
    /// later than <paramref name="now"/>.
    /// </summary>
    public int TakeExpired(long now, Span<int> slots)
    {
        int count = 0;
        long next = Clock.Never;
        for (int page = 0; page < _pages; page++)
        {
            if (_earliest[page] <= now)
            {
                long earliest = Clock.Never;
                for (int slot = page << PageBits; slot < (page + 1) << PageBits; slot++)
                {
                    ref long due = ref _due[slot];
                    if (due > now)
                    {
                        earliest = Math.Min(earliest, due);
                        continue;
                    }

                    if (count == slots.Length) return count; // the next call starts at this page again
                    slots[count++] = slot;
                    due = Clock.Never;
                }

                _earliest[page] = earliest;
            }

            next = Math.Min(next, _earliest[page]);
        }

        NextDue = next;
        return count;
    }

    private void AddPage()
    {
        _earliest.Ensure(_pages);
        _earliest[_pages] = Clock.Never;
        for (int slot = _pages << PageBits; slot < (_pages + 1) << PageBits; slot++)
        {
            _due.Ensure(slot);
            _due[slot] = Clock.Never;
        }

        _pages++;
    }
}
