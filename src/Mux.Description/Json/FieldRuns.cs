using System.Buffers;

namespace Mux.Description.Json;

/// <summary>
/// Where the fields of the messages on the way are, in the order of their numbers: one entry for values of a field that follow each other. Values of a field
/// may be apart, and of a oneof the last one counts, so a message is passed over once before it is written.
/// </summary>
internal sealed class FieldRuns
{
    private const int Kept = 1 << 16;

    private ulong[] _runs = new ulong[256]; // slot << 32 | position of the tag
    private int _count;

    public void Clear()
    {
        _count = 0;
        if (_runs.Length > Kept) _runs = new ulong[256];
    }

    /// <summary>Finds the fields of a message, above those of the messages around it.</summary>
    /// <returns>Where they begin; they end at the next free place.</returns>
    public int Add(JsonType type, ReadOnlySpan<byte> bytes, out int end)
    {
        int start = _count;
        bool isSorted = true;
        bool hasRivals = false;
        ulong oneofs = 0;
        var last = default(JsonField);
        var scan = new WireScan(bytes);
        while (true)
        {
            int position = scan.Position;
            uint tag = scan.ReadTag();
            if (tag == 0) break;
            scan.Skip(tag);
            if (last?.Accepts(tag) == true) continue;
            var field = type.Find(tag >> 3);
            if (field?.Accepts(tag) != true)
            {
                last = null;
                continue;
            }

            last = field;
            if (field.Oneof >= 0)
            {
                ulong bit = 1ul << (field.Oneof & 63);
                hasRivals |= (oneofs & bit) != 0;
                oneofs |= bit;
            }

            ulong run = ((ulong)field.Slot << 32) | (uint)position;
            isSorted &= _count == start || _runs[_count - 1] < run;
            if (_count == _runs.Length) Array.Resize(ref _runs, 2 * _count);
            _runs[_count++] = run;
        }

        if (hasRivals) KeepLastOfOneofs(type, start);
        if (!isSorted) _runs.AsSpan(start, _count - start).Sort();
        end = _count;
        return start;
    }

    /// <summary>Forgets a message.</summary>
    public void Remove(int start) => _count = start;

    public int SlotOf(int run) => (int)(_runs[run] >> 32);

    public int PositionOf(int run) => (int)(uint)_runs[run];

    // A member of a oneof clears the others: what was written of them before is gone.
    private void KeepLastOfOneofs(JsonType type, int start)
    {
        var winners = ArrayPool<int>.Shared.Rent(type.OneofCount);
        winners.AsSpan(0, type.OneofCount).Fill(-1);
        int next = _count;
        for (int i = _count - 1; i >= start; i--)
        {
            int slot = SlotOf(i);
            int oneof = type.Fields[slot].Oneof;
            if (oneof >= 0)
            {
                if (winners[oneof] == -1) winners[oneof] = slot;
                if (winners[oneof] != slot)
                {
                    winners[oneof] = int.MaxValue;
                    continue;
                }
            }

            _runs[--next] = _runs[i];
        }

        _runs.AsSpan(next, _count - next).CopyTo(_runs.AsSpan(start));
        _count = start + (_count - next);
        ArrayPool<int>.Shared.Return(winners);
    }
}
