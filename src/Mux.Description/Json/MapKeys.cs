namespace Mux.Description.Json;

/// <summary>Finds keys that a map has twice: their hashes are sorted, and equal ones compared.</summary>
internal sealed class MapKeys
{
    private const int Kept = 1 << 14;

    private ulong[] _hashes = new ulong[64];
    private int[] _entries = new int[64];
    private int[] _positions = new int[64];
    private int _count;

    /// <summary>Forgets the keys.</summary>
    public void Clear()
    {
        _count = 0;
        if (_hashes.Length <= Kept) return;
        _hashes = new ulong[64];
        _entries = new int[64];
        _positions = new int[64];
    }

    /// <summary>Adds the key of the next entry.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="position">Where it can be read again.</param>
    public void Add(scoped in MapEntry entry, int position)
    {
        if (_count == _hashes.Length)
        {
            Array.Resize(ref _hashes, 2 * _count);
            Array.Resize(ref _entries, 2 * _count);
            Array.Resize(ref _positions, 2 * _count);
        }

        // Seeded for each process, so that a peer cannot choose keys with the same hash.
        var hash = default(HashCode);
        hash.AddBytes(entry.Text);
        hash.Add(entry.Key);
        _hashes[_count] = ((ulong)(uint)hash.ToHashCode() << 32) | (uint)_count;
        _entries[_count] = _count;
        _positions[_count] = position;
        _count++;
    }

    /// <summary>Finds entries whose key a later one has.</summary>
    /// <param name="map">The map.</param>
    /// <param name="bytes">Where its entries are.</param>
    /// <returns>For each entry whether it is superseded; null if none is.</returns>
    public bool[]? FindSuperseded(JsonField map, ReadOnlySpan<byte> bytes)
    {
        var superseded = default(bool[]);
        _hashes.AsSpan(0, _count).Sort(_entries.AsSpan(0, _count));
        for (int i = 1; i < _count; i++)
        {
            for (int j = i - 1; j >= 0 && _hashes[j] >> 32 == _hashes[i] >> 32; j--)
            {
                if (!AreEqual(map, bytes, _entries[i], _entries[j])) continue;
                superseded ??= new bool[_count];
                superseded[_entries[j]] = true;
                break;
            }
        }

        return superseded;
    }

    private bool AreEqual(JsonField map, ReadOnlySpan<byte> bytes, int one, int other)
    {
        var first = ReadAt(map, bytes, _positions[one]);
        var second = ReadAt(map, bytes, _positions[other]);
        return first.Key == second.Key && first.Text.SequenceEqual(second.Text);
    }

    private static MapEntry ReadAt(JsonField map, ReadOnlySpan<byte> bytes, int position)
    {
        var scan = new WireScan(bytes) { Position = position };
        return MapEntry.Read(map, scan.ReadBlock(map.Tag));
    }
}
