using System.Buffers.Text;
using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>
/// Hashes affinity keys for generated code, without allocating: see <see cref="MuxKeyAttribute"/>. All forms of a key have the hash of its text in UTF-8, so
/// that a number, its text in <see cref="MuxCallOptions.Key"/> and a program in another language agree. 0 means that there is no key.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class KeyHash
{
    private const int LongestInteger = 20; // -9223372036854775808
    private const int GuidLength = 36;

    /// <summary>Hashes a text. An empty one is no key.</summary>
    public static ulong Of(string key) => key.Length == 0 ? 0 : NotZero(StableHash.Of(key));

    /// <summary>Hashes bytes. Without any there is no key.</summary>
    public static ulong Of(ReadOnlySpan<byte> key) => key.IsEmpty ? 0 : NotZero(StableHash.Of(key));

    /// <summary>Hashes the decimal digits of an integer.</summary>
    public static ulong Of(long key)
    {
        Span<byte> text = stackalloc byte[LongestInteger];
        Utf8Formatter.TryFormat(key, text, out int length); // it never knows a culture, which could have another minus
        return NotZero(StableHash.Of(text[..length]));
    }

    /// <inheritdoc cref="Of(long)"/>
    public static ulong Of(ulong key)
    {
        Span<byte> text = stackalloc byte[LongestInteger];
        Utf8Formatter.TryFormat(key, text, out int length);
        return NotZero(StableHash.Of(text[..length]));
    }

    /// <summary>Hashes the text of an id: <c>00112233-4455-6677-8899-aabbccddeeff</c>, in lower case.</summary>
    public static ulong Of(Guid key)
    {
        Span<byte> text = stackalloc byte[GuidLength];
        Utf8Formatter.TryFormat(key, text, out int length);
        return NotZero(StableHash.Of(text[..length]));
    }

    private static ulong NotZero(ulong hash) => hash == 0 ? 1 : hash;
}
