using System.Collections;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Mux;

/// <summary>
/// Keys and values that are sent with a message, in order. A key may occur more than once. Several threads may add and read entries concurrently; a reader sees
/// the entries of the moment at which it began.
/// </summary>
/// <remarks>
/// <para>A key has 1 to 255 characters of a-z, 0-9, '.', '_' and '-'. Keys that start with <c>mux-</c> are reserved for the runtime. A value has 0 to 65,535
/// bytes: text in UTF-8, or any bytes.</para>
/// <para>At most 64 entries can be sent with a message, and at most as many bytes as the receiver accepts (8 KiB by default). Each entry counts as the length
/// of its key and its value, plus 32 bytes. A call that exceeds a limit fails before it is sent.</para>
/// </remarks>
public sealed class MuxMetadata : IEnumerable<MuxMetadataEntry>
{
    /// <summary>Maximum number of entries that can be sent.</summary>
    public const int MaxEntries = 64;

    private const int MaxKeyLength = byte.MaxValue;
    private const int MaxValueLength = ushort.MaxValue;
    private const string Reserved = "mux-";

    private static readonly Entries s_none = new([], 0);

    private readonly Lock _gate = new(); // of changes: several calls may fill one object
    private volatile Entries _entries = s_none; // replaced when it is full or entries are removed: its readers keep what they have begun with

    /// <summary>Gets the number of entries, including those with repeated keys.</summary>
    public int Count => _entries.Count;

    /// <summary>Gets the first value of a key as text, or null if there is none. Setting replaces all values of the key.</summary>
    /// <exception cref="ArgumentException">The key or the value is not valid, see <see cref="MuxMetadata"/>.</exception>
    [DisallowNull]
    public string? this[string key]
    {
        get => TryGet(key, out var entry) ? entry.Text : null;
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            var entry = Create(key, Encoding.UTF8.GetBytes(value));
            lock (_gate) _entries = Entries.Of([.. _entries.Current.Where(other => other.Key != key), entry]);
        }
    }

    /// <summary>Adds a text entry at the end.</summary>
    /// <exception cref="ArgumentException">The key or the value is not valid, see <see cref="MuxMetadata"/>.</exception>
    public void Add(string key, string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Add(key, Encoding.UTF8.GetBytes(value));
    }

    /// <summary>Adds an entry of bytes at the end. The bytes are not copied.</summary>
    /// <exception cref="ArgumentException">The key or the value is not valid, see <see cref="MuxMetadata"/>.</exception>
    public void Add(string key, ReadOnlyMemory<byte> value)
    {
        var entry = Create(key, value);
        lock (_gate)
        {
            if (!_entries.TryAdd(entry)) _entries = _entries.GrownBy(entry);
        }
    }

    /// <summary>For the runtime: removes entries that it has added before, and adds others at the end.</summary>
    /// <param name="old">The entries to remove, those with the same bytes at the same place in memory.</param>
    /// <param name="entries">The entries to add.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void Replace(MuxMetadata old, MuxMetadata entries)
    {
        ArgumentNullException.ThrowIfNull(old);
        ArgumentNullException.ThrowIfNull(entries);
        var removed = old.Select(static entry => (entry.Key, entry.Bytes)).ToHashSet();
        lock (_gate) _entries = Entries.Of([.. _entries.Current.Where(entry => !removed.Contains((entry.Key, entry.Bytes))), .. entries]);
    }

    /// <summary>For the runtime: adds an entry at the end whose key is reserved for it. Handlers and callers do not see such entries.</summary>
    /// <param name="key">A key that starts with <c>mux-</c>.</param>
    /// <param name="value">The value, which is not copied.</param>
    /// <exception cref="ArgumentException">The key is not a reserved one.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void AddReserved(string key, ReadOnlyMemory<byte> value)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (!IsKey(key) || !key.StartsWith(Reserved, StringComparison.Ordinal)) throw new ArgumentException($"'{key}' is not a reserved key.", nameof(key));
        var entry = new MuxMetadataEntry(key, value);
        lock (_gate)
        {
            if (!_entries.TryAdd(entry)) _entries = _entries.GrownBy(entry);
        }
    }

    private static MuxMetadataEntry Create(string key, ReadOnlyMemory<byte> value)
    {
        if (!IsKey(key)) throw new ArgumentException($"'{key}' is not a key: expected 1 to {MaxKeyLength} of a-z, 0-9, '.', '_' and '-'.", nameof(key));
        if (key.StartsWith(Reserved, StringComparison.Ordinal))
        {
            throw new ArgumentException($"'{key}' starts with '{Reserved}', which is reserved for the runtime's keys: choose another key.", nameof(key));
        }

        if (value.Length > MaxValueLength)
        {
            throw new ArgumentException($"The value of '{key}' has {value.Length} bytes: expected 0 to {MaxValueLength}.", nameof(value));
        }

        return new MuxMetadataEntry(key, value);
    }

    /// <summary>Gets the first entry with a key.</summary>
    public bool TryGet(string key, out MuxMetadataEntry value)
    {
        foreach (var entry in this)
        {
            if (entry.Key != key) continue;
            value = entry;
            return true;
        }

        value = default;
        return false;
    }

    /// <summary>Gets all entries with a key, in order.</summary>
    public IEnumerable<MuxMetadataEntry> GetAll(string key) => _entries.Current.Where(entry => entry.Key == key);

    /// <summary>Returns an enumerator over the current entries, in order.</summary>
    public Enumerator GetEnumerator() => new(_entries.Current);

    IEnumerator<MuxMetadataEntry> IEnumerable<MuxMetadataEntry>.GetEnumerator() => ((IEnumerable<MuxMetadataEntry>)_entries.Current).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable)_entries.Current).GetEnumerator();

    /// <summary>Returns a new object with the current entries. Safe to call while other threads add entries.</summary>
    public MuxMetadata Copy()
    {
        var copy = new MuxMetadata();
        copy._entries = Entries.Of([.. _entries.Current]);
        return copy;
    }

    /// <summary>Enumerates the entries in order, without an allocation. Entries that are added meanwhile are not seen.</summary>
    public struct Enumerator
    {
        private readonly ArraySegment<MuxMetadataEntry> _entries;
        private int _next;

        internal Enumerator(ArraySegment<MuxMetadataEntry> entries) => _entries = entries;

        /// <summary>Gets the current entry.</summary>
        public readonly MuxMetadataEntry Current => _entries[_next - 1];

        /// <summary>Moves to the next entry.</summary>
        /// <returns>False if there is none.</returns>
        public bool MoveNext() => _next < _entries.Count && _next++ < _entries.Count;
    }

    private static bool IsKey(string key) =>
        key.Length is > 0 and <= MaxKeyLength && key.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '_' or '-');

    /// <summary>Entries that are never changed, only added to: a reader sees those that were there when it took <see cref="Current"/>.</summary>
    private sealed class Entries(MuxMetadataEntry[] items, int count)
    {
        private volatile int _count = count;

        public int Count => _count;

        public ArraySegment<MuxMetadataEntry> Current => new(items, 0, _count);

        public static Entries Of(MuxMetadataEntry[] items) => new(items, items.Length);

        /// <summary>Adds an entry behind the others, under the lock of changes.</summary>
        /// <returns>False if there is no room.</returns>
        public bool TryAdd(MuxMetadataEntry entry)
        {
            int used = _count;
            if (used == items.Length) return false;
            items[used] = entry;
            _count = used + 1; // last: readers take no more than this
            return true;
        }

        /// <summary>Copies the entries, all of which are in use, and one more into an array twice as long.</summary>
        public Entries GrownBy(MuxMetadataEntry entry)
        {
            var grown = new MuxMetadataEntry[Math.Max(4, 2 * items.Length)];
            items.CopyTo(grown, 0);
            grown[items.Length] = entry;
            return new Entries(grown, items.Length + 1);
        }
    }
}
