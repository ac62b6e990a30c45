using System.Numerics;

namespace Mux.Engine;

/// <summary>
/// Counts the array in which the link keeps a frame that has not arrived completely: up to 128 KiB, for as long as <c>UnfinishedFrame</c> allows. Written by
/// the turn, and by the end of the link after it.
/// </summary>
internal sealed class KeptInput
{
    /// <summary>Fewer bytes are not worth counting: most deliveries of a busy link end inside a small frame.</summary>
    private const int CountedFrom = 1024;

    /// <summary>Links move up to this many bytes to the shortest array that fits, and keep more of them in the array of a receive.</summary>
    private const int LargestMoved = 16 * 1024, ReceiveArray = 128 * 1024;

    private long _charged;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>Gets the length of the longest array in which a link keeps this many bytes.</summary>
    public static int ArrayOf(int bytes) => bytes <= LargestMoved ? (int)BitOperations.RoundUpToPowerOf2((uint)bytes) : ReceiveArray;

    /// <summary>Handles the end of a delivery.</summary>
    /// <param name="left">Bytes that the link keeps.</param>
    public void OnDelivered(int left)
    {
        long charge = left <= CountedFrom ? 0 : ArrayOf(left);
        if (charge == _charged || Memory is not { } memory) return;
        long before = Interlocked.Exchange(ref _charged, charge);
        if (charge > before) memory.Take(charge - before);
        else memory.Release(before - charge);
    }
}
