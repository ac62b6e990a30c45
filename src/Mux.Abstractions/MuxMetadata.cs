using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Mux;

/// <summary>
/// Keys and values that travel beside a message, in order; a key may come more than once. Several threads may add at once; nobody may read meanwhile.
/// </summary>
/// <remarks>
/// Keys are 1 to 255 characters of a-z, 0-9, '.', '_' and '-'; those that begin with <c>mux-</c> are the runtime's. A value is 0 to 65,535 bytes: text in
/// UTF-8, or any bytes. At most 64 entries are sent, and as many bytes as the peer takes (8 KiB by default, each entry charged its key, its value and 32 bytes
/// more); a call with more fails before it is sent.
/// </remarks>
public sealed class MuxMetadata : IEnumerable<MuxMetadataEntry>
{
    /// <summary>How many entries are sent.</summary>
    public const int MaxEntries = 64;

    private const int MaxKeyLength = byte.MaxValue;
    private const int MaxValueLength = ushort.MaxValue;
    private const string Reserved = "mux-";

    private readonly List<MuxMetadataEntry> _entries = []; // guards itself where it is changed: several calls may fill one

    /// <summary>Entries, repeated keys included.</summary>
    public int Count => _entries.Count;

    /// <summary>The text of a key's first value; null if there is none. Setting it takes the place of all values of the key.</summary>
    /// <exception cref="ArgumentException">The key or the value is not what an entry takes, see <see cref="MuxMetadata"/>.</exception>
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

    /// <summary>Adds text at the end.</summary>
    /// <exception cref="ArgumentException">The key or the value is not what an entry takes, see <see cref="MuxMetadata"/>.</exception>
    public void Add(string key, string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        Add(key, Encoding.UTF8.GetBytes(value));
    }

    /// <summary>Adds bytes at the end. They are not copied.</summary>
    /// <exception cref="ArgumentException">The key or the value is not what an entry takes, see <see cref="MuxMetadata"/>.</exception>
    public void Add(string key, ReadOnlyMemory<byte> value)
    {
        if (!IsKey(key)) throw new ArgumentException($"'{key}' is no key: 1 to {MaxKeyLength} characters of a-z, 0-9, '.', '_' and '-' are.", nameof(key));
        if (key.StartsWith(Reserved, StringComparison.Ordinal))
        {
            throw new ArgumentException($"'{key}' begins with '{Reserved}', as only the runtime's keys do.", nameof(key));
        }

        if (value.Length > MaxValueLength)
        {
            throw new ArgumentException($"The value of '{key}' is {value.Length} bytes; 0 to {MaxValueLength} are taken.", nameof(value));
        }

        lock (_entries) _entries.Add(new MuxMetadataEntry(key, value));
    }

    /// <summary>A key's first value.</summary>
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

    /// <summary>All values of a key, in order.</summary>
    public IEnumerable<MuxMetadataEntry> GetAll(string key) => _entries.Where(entry => entry.Key == key);

    /// <summary>In order.</summary>
    public Enumerator GetEnumerator() => new(_entries);

    IEnumerator<MuxMetadataEntry> IEnumerable<MuxMetadataEntry>.GetEnumerator() => _entries.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _entries.GetEnumerator();

    /// <summary>Another object with the entries that this has now. May be called while others add.</summary>
    public MuxMetadata Copy()
    {
        var copy = new MuxMetadata();
        lock (_entries) copy._entries.AddRange(_entries);
        return copy;
    }

    /// <summary>Goes through the entries in order, without an allocation.</summary>
    public struct Enumerator
    {
        private List<MuxMetadataEntry>.Enumerator _entries;

        internal Enumerator(List<MuxMetadataEntry> entries) => _entries = entries.GetEnumerator();

        /// <summary>The entry it is at.</summary>
        public readonly MuxMetadataEntry Current => _entries.Current;

        /// <summary>Goes to the next entry.</summary>
        /// <returns>False if there is none.</returns>
        /// <exception cref="InvalidOperationException">The metadata was changed meanwhile.</exception>
        public bool MoveNext() => _entries.MoveNext();
    }

    private static bool IsKey(string key) =>
        key.Length is > 0 and <= MaxKeyLength && key.All(static c => char.IsAsciiLetterLower(c) || char.IsAsciiDigit(c) || c is '.' or '_' or '-');
}
