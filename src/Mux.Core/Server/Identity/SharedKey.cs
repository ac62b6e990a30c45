using System.Buffers;

namespace Mux.Identity;

/// <summary>A secret that one client and one server share, and its id. Immutable.</summary>
public sealed class SharedKey
{
    /// <summary>Minimum number of bytes: the output length of HMAC-SHA256.</summary>
    public const int MinLength = 32;

    /// <summary>
    /// Minimum number of distinct byte values. 32 random bytes practically never have fewer: a key with fewer was typed by hand, or is a buffer that was never
    /// filled.
    /// </summary>
    public const int MinDistinctBytes = 16;

    private const int MaxLength = 1024;
    private const int MaxIdLength = 64;

    private static readonly SearchValues<char> s_idCharacters = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

    /// <summary>Creates a key.</summary>
    /// <param name="id">The name of the key on both sides: 1 to 64 letters, digits, '.', '_' and '-'. Not secret.</param>
    /// <param name="key">32 to 1,024 random bytes, with at least 16 distinct values. Copied.</param>
    /// <param name="roles">At a server: the roles of a client that has the key.</param>
    /// <exception cref="ArgumentException">The id or the length is not allowed, or the key has too few distinct bytes.</exception>
    public SharedKey(string id, ReadOnlySpan<byte> key, params IReadOnlyList<string> roles)
    {
        ArgumentNullException.ThrowIfNull(id);
        ArgumentNullException.ThrowIfNull(roles);
        if (!IsId(id)) throw new ArgumentException($"'{id}' is not an id of a key: expected 1 to {MaxIdLength} letters, digits, '.', '_' and '-'.", nameof(id));
        if (key.Length is < MinLength or > MaxLength)
        {
            throw new ArgumentException($"The key '{id}' is {key.Length} bytes long: expected {MinLength} to {MaxLength}.", nameof(key));
        }

        int distinct = CountDistinct(key);
        if (distinct < MinDistinctBytes)
            throw new ArgumentException($"The key '{id}' has {distinct} distinct byte values; at least {MinDistinctBytes} are needed: use random bytes, " +
                $"such as those of 'openssl rand -base64 {MinLength}'.", nameof(key));
        Id = id;
        Key = key.ToArray();
        Roles = [.. roles];
    }

    /// <summary>Gets the name of the key on both sides.</summary>
    public string Id { get; }

    /// <summary>Gets, at a server, the roles of a client that has the key.</summary>
    public IReadOnlyList<string> Roles { get; }

    internal byte[] Key { get; }

    /// <summary>Creates a key from base 64, as configuration files contain it.</summary>
    /// <inheritdoc cref="SharedKey(string, ReadOnlySpan{byte}, IReadOnlyList{string})"/>
    /// <exception cref="ArgumentException">The id or the length is not allowed, the key has too few distinct bytes, or the text is not base 64.</exception>
    public static SharedKey FromBase64(string id, string key, params IReadOnlyList<string> roles)
    {
        ArgumentNullException.ThrowIfNull(key);
        var bytes = new byte[key.Length];
        if (!Convert.TryFromBase64String(key, bytes, out int length)) throw new ArgumentException($"The key '{id}' is not base 64.", nameof(key));
        return new SharedKey(id, bytes.AsSpan(0, length), roles);
    }

    /// <summary>Returns the id, never the key.</summary>
    public override string ToString() => Id;

    internal static bool IsId(string id) => id.Length is >= 1 and <= MaxIdLength && !id.AsSpan().ContainsAnyExcept(s_idCharacters);

    private static int CountDistinct(ReadOnlySpan<byte> key)
    {
        Span<bool> seen = stackalloc bool[byte.MaxValue + 1];
        foreach (byte value in key) seen[value] = true;
        return seen.Count(true);
    }
}
