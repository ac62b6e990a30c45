using System.Buffers;
using System.Globalization;
using Mux.Buffers;

namespace Mux.Tests.Server;

/// <summary>
/// Fills the heap of a process with a limit, and says what became of an unused array of the engine: "kept" or "dropped".
/// </summary>
internal static class LimitedHeap
{
    private const int Length = 1 << 20;
    private const int Piece = 64 * 1024; // no large object: those lie in larger regions

    /// <param name="percent">Parts of the limit that are in use, in ascending order.</param>
    public static void Run(IEnumerable<string> percent)
    {
        long limit = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        List<byte[]> inUse = [];
        foreach (var part in percent)
        {
            long wanted = limit * int.Parse(part, CultureInfo.InvariantCulture) / 100;
            while ((long)inUse.Count * Piece < wanted) inUse.Add(new byte[Piece]);
            byte[] array = ArrayOf(MessageMemory.Pool);
            GC.Collect();
            GC.WaitForPendingFinalizers();
            var fate = ReferenceEquals(MessageMemory.Pool.Rent(Length), array) ? "kept" : "dropped";
            var memory = GC.GetGCMemoryInfo();
            Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                $"{fate} at {part} %: limit {limit}, heap {memory.HeapSizeBytes}, committed {memory.TotalCommittedBytes}, load " +
                $"{memory.MemoryLoadBytes} of {memory.HighMemoryLoadThresholdBytes}"));
        }

        GC.KeepAlive(inUse);
    }

    private static byte[] ArrayOf(ArrayPool<byte> pool)
    {
        byte[] array = pool.Rent(Length);
        pool.Return(array);
        return array;
    }
}
