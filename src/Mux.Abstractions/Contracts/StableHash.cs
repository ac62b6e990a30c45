using System.Buffers;
using System.Buffers.Binary;
using System.ComponentModel;
using System.Numerics;
using System.Text;

namespace Mux.Contracts;

/// <summary>
/// XXH64 (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md): the same in every process, version and language, so that clients agree on endpoints
/// without talking to each other. Not for secrets: keys that collide can be computed.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class StableHash
{
    private const ulong Prime1 = 0x9E3779B185EBCA87;
    private const ulong Prime2 = 0xC2B2AE3D27D4EB4F;
    private const ulong Prime3 = 0x165667B19E3779F9;
    private const ulong Prime4 = 0x85EBCA77C2B2AE63;
    private const ulong Prime5 = 0x27D4EB2F165667C5;
    private const int Stripe = 32;
    private const int LongestOnStack = 256;

    /// <summary>Hashes the UTF-8 bytes of a text.</summary>
    public static ulong Of(string text, ulong seed = 0)
    {
        int most = Encoding.UTF8.GetMaxByteCount(text.Length);
        byte[]? rented = most > LongestOnStack ? ArrayPool<byte>.Shared.Rent(most) : null;
        Span<byte> bytes = rented ?? stackalloc byte[LongestOnStack];
        ulong hash = Of(bytes[..Encoding.UTF8.GetBytes(text, bytes)], seed);
        if (rented is not null) ArrayPool<byte>.Shared.Return(rented);
        return hash;
    }

    /// <summary>Hashes bytes.</summary>
    public static ulong Of(ReadOnlySpan<byte> bytes, ulong seed = 0)
    {
        ulong length = (ulong)bytes.Length;
        ulong hash = bytes.Length >= Stripe ? Stripes(ref bytes, seed) : seed + Prime5;
        hash += length;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
        {
            hash ^= Round(0, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            hash = (BitOperations.RotateLeft(hash, 27) * Prime1) + Prime4;
        }

        if (bytes.Length >= sizeof(uint))
        {
            hash ^= BinaryPrimitives.ReadUInt32LittleEndian(bytes) * Prime1;
            hash = (BitOperations.RotateLeft(hash, 23) * Prime2) + Prime3;
            bytes = bytes[sizeof(uint)..];
        }

        foreach (byte one in bytes)
        {
            hash ^= one * Prime5;
            hash = BitOperations.RotateLeft(hash, 11) * Prime1;
        }

        return Avalanche(hash);
    }

    /// <summary>Mixes two hashes into one that depends on both.</summary>
    public static ulong Combine(ulong first, ulong second) => Avalanche(Round(first, second));

    private static ulong Stripes(ref ReadOnlySpan<byte> bytes, ulong seed)
    {
        ulong first = unchecked(seed + Prime1 + Prime2), second = seed + Prime2, third = seed, fourth = unchecked(seed - Prime1);
        for (; bytes.Length >= Stripe; bytes = bytes[Stripe..])
        {
            first = Round(first, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
            second = Round(second, BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]));
            third = Round(third, BinaryPrimitives.ReadUInt64LittleEndian(bytes[16..]));
            fourth = Round(fourth, BinaryPrimitives.ReadUInt64LittleEndian(bytes[24..]));
        }

        ulong hash = BitOperations.RotateLeft(first, 1) + BitOperations.RotateLeft(second, 7)
            + BitOperations.RotateLeft(third, 12) + BitOperations.RotateLeft(fourth, 18);
        hash = Merge(hash, first);
        hash = Merge(hash, second);
        hash = Merge(hash, third);
        return Merge(hash, fourth);
    }

    private static ulong Merge(ulong hash, ulong lane) => ((hash ^ Round(0, lane)) * Prime1) + Prime4;

    private static ulong Round(ulong lane, ulong input) => BitOperations.RotateLeft(lane + (input * Prime2), 31) * Prime1;

    private static ulong Avalanche(ulong hash)
    {
        hash = (hash ^ (hash >> 33)) * Prime2;
        hash = (hash ^ (hash >> 29)) * Prime3;
        return hash ^ (hash >> 32);
    }
}
