using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Mux.Topics;

/// <summary>
/// Numbers of items that a server delivers without their backplane. They are above all that a backplane gives, and begin at random: so none stands for items
/// of two servers, of two interruptions, or of the backplane, and a subscriber that has one is never continued at a wrong place.
/// </summary>
internal static class OwnNumbers
{
    /// <summary>Backplanes give lower numbers.</summary>
    private const long Lowest = 1L << 62;

    /// <summary>Gets the number before the first one of a run of items, whose further numbers are each greater by 1.</summary>
    public static long NewRun() => Lowest + (BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long))) >>> 3);

    public static bool Have(long number) => number >= Lowest;
}
