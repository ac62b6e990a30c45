using System.Buffers;

namespace Mux.Identity;

/// <summary>A secret that a client and a server have in common, and what it is called. Immutable.</summary>
public sealed class SharedKey
{
    /// <summary>The least number of bytes: as many as HMAC-SHA256 makes.</summary>
    public const int MinLength = 32;

    /// <summary>
    /// The least number of distinct byte values. Of 32 random bytes, fewer are less likely than a broken disk: such a key was typed, or is a buffer that was
    /// never filled.
    /// </summary>
    public const int MinDistinctBytes = 16;

    private const int MaxLength = 1024;
    private const int MaxIdLength = 64;

    private static readonly SearchValues<char> s_idCharacters = SearchValues.Create("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

    /// <summary>A key.</summary>
    /// <param name="id">What both sides call it: 1 to 64 letters, digits, '.', '_' and '-'. No secret.</param>
    /// <param name="key">32 to 1,024 random bytes, with at least 16 distinct values. Copied.</param>
    /// <param name="roles">At a server: the roles of whoever has the key.</param>
    /// <exception cref="ArgumentException">The id or the length is not allowed, or the key has too few distinct bytes.</exception>
    public SharedKey(string id, ReadOnlySpan<byte> key, params IReadOnlyList<string> roles)
    {
        ArgumentNullException.ThrowIfNull(id);
        ArgumentNullException.ThrowIfNull(roles);
        if (!IsId(id)) throw new ArgumentException($"'{id}' is no id of a key: 1 to {MaxIdLength} letters, digits, '.', '_' and '-' are.", nameof(id));
        if (key.Length is < MinLength or > MaxLength)
        {
            throw new ArgumentException($"The key '{id}' is {key.Length} bytes long; allowed are {MinLength} to {MaxLength}.", nameof(key));
        }

        int distinct = CountDistinct(key);
        if (distinct < MinDistinctBytes)
            throw new ArgumentException($"The key '{id}' has {distinct} distinct byte values; at least {MinDistinctBytes} are needed: use random bytes, " +
                $"such as those of 'openssl rand -base64 {MinLength}'.", nameof(key));
        Id = id;
        Key = key.ToArray();
        Roles = [.. roles];
    }

    /// <summary>What both sides call it.</summary>
    public string Id { get; }

    /// <summary>At a server: the roles of whoever has the key.</summary>
    public IReadOnlyList<string> Roles { get; }

    internal byte[] Key { get; }

    /// <summary>A key in base 64, as it stands in a configuration.</summary>
    /// <inheritdoc cref="SharedKey(string, ReadOnlySpan{byte}, IReadOnlyList{string})"/>
    /// <exception cref="ArgumentException">The id or the length is not allowed, the key has too few distinct bytes, or the text is no base 64.</exception>
    public static SharedKey FromBase64(string id, string key, params IReadOnlyList<string> roles)
    {
        ArgumentNullException.ThrowIfNull(key);
        var bytes = new byte[key.Length];
        if (!Convert.TryFromBase64String(key, bytes, out int length)) throw new ArgumentException($"The key '{id}' is no base 64.", nameof(key));
        return new SharedKey(id, bytes.AsSpan(0, length), roles);
    }

    /// <summary>The id; nothing of the key.</summary>
    public override string ToString() => Id;

    internal static bool IsId(string id) => id.Length is >= 1 and <= MaxIdLength && !id.AsSpan().ContainsAnyExcept(s_idCharacters);

    private static int CountDistinct(ReadOnlySpan<byte> key)
    {
        Span<bool> seen = stackalloc bool[byte.MaxValue + 1];
        foreach (byte value in key) seen[value] = true;
        return seen.Count(true);
    }
}
