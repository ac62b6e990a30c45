using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Mux;

/// <summary>
/// Keys and values that are sent with a message, in order. A key may occur more than once. Several threads may add entries concurrently, but not while another
/// thread reads.
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

    private readonly List<MuxMetadataEntry> _entries = []; // also the lock of its changes: several calls may fill one object

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
            lock (_entries)
            {
                _entries.RemoveAll(entry => entry.Key == key);
                Add(key, value);
            }
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
        if (!IsKey(key)) throw new ArgumentException($"'{key}' is not a key: expected 1 to {MaxKeyLength} of a-z, 0-9, '.', '_' and '-'.", nameof(key));
        if (key.StartsWith(Reserved, StringComparison.Ordinal))
        {
            throw new ArgumentException($"'{key}' starts with '{Reserved}', which is reserved for the runtime's keys: choose another key.", nameof(key));
        }

        if (value.Length > MaxValueLength)
        {
            throw new ArgumentException($"The value of '{key}' has {value.Length} bytes: expected 0 to {MaxValueLength}.", nameof(value));
        }

        lock (_entries) _entries.Add(new MuxMetadataEntry(key, value));
    }

    /// <summary>Gets the first entry with a key.</summary>
    public bool TryGet(string key, out MuxMetadataEntry value)
    {
        foreach (var entry in _entries)
        {
            if (entry.Key != key) continue;
            value = entry;
            return true;
        }

        value = default;
        return false;
    }

    /// <summary>Gets all entries with a key, in order.</summary>
    public IEnumerable<MuxMetadataEntry> GetAll(string key) => _entries.Where(entry => entry.Key == key);

    /// <summary>Returns an enumerator over the entries, in order.</summary>
    public Enumerator GetEnumerator() => new(_entries);

    IEnumerator<MuxMetadataEntry> IEnumerable<MuxMetadataEntry>.GetEnumerator() => _entries.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _entries.GetEnumerator();

    /// <summary>Returns a new object with the current entries. Safe to call while other threads add entries.</summary>
    public MuxMetadata Copy()
    {
        var copy = new MuxMetadata();
        lock (_entries) copy._entries.AddRange(_entries);
        return copy;
    }

    /// <summary>Enumerates the entries in order, without an allocation.</summary>
    public struct Enumerator
    {
        private List<MuxMetadataEntry>.Enumerator _entries;

        internal Enumerator(List<MuxMetadataEntry> entries) => _entries = entries.GetEnumerator();

        /// <summary>Gets the current entry.</summary>
        public readonly MuxMetadataEntry Current => _entries.Current;

        /// <summary>Moves to the next entry.</summary>
        /// <returns>False if there is none.</returns>
        /// <exception cref="InvalidOperationException">The metadata was changed after the enumeration started.</exception>
        public bool MoveNext() => _entries.MoveNext();
    }

    private static bool IsKey(string key) =>
        key.Length is > 0 and <= MaxKeyLength && key.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '_' or '-');
}
