using System.Numerics;

namespace Mux.Engine;

/// <summary>
/// A number of bytes in two bytes of a slot: 12 bits of a count and 4 bits of its exponent, in units of 1 KiB. Rounds up, by less than 1/2,000 above 4 MiB.
/// Holds up to 128 GiB, more than any request.
/// </summary>
internal readonly struct CompactCharge
{
    private const int UnitBits = 10, CountBits = 12;

    private readonly ushort _value;

    private CompactCharge(ushort value) => _value = value;

    public bool IsNone => _value == 0;

    public long Bytes => (long)(_value & ((1 << CountBits) - 1)) << (UnitBits + (_value >> CountBits));

    public static CompactCharge Of(long bytes)
    {
        long units = (bytes + (1 << UnitBits) - 1) >> UnitBits;
        int exponent = Math.Max(0, BitOperations.Log2((ulong)units) + 1 - CountBits);
        long count = (units + (1L << exponent) - 1) >> exponent;
        if (count >> CountBits != 0) (count, exponent) = (count >> 1, exponent + 1); // rounded up to the next power of two
        return new((ushort)(exponent << CountBits | (int)count));
    }

    /// <summary>Takes the charge out of a slot. Safe against another thread that does the same.</summary>
    public static long Take(ref CompactCharge charge) =>
        new CompactCharge(Interlocked.Exchange(ref System.Runtime.CompilerServices.Unsafe.As<CompactCharge, ushort>(ref charge), 0)).Bytes;
}
