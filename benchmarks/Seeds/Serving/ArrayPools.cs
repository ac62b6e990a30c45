using System.Buffers;

namespace Seeds.Serving;

/// <summary>The array pools of this process, which fill up as more threads and CPUs happen to use them and are no leak.</summary>
internal static class ArrayPools
{
    // What the runtime's shared pool keeps of each size for each CPU.
    private const int KeptPerCpu = 32;

    /// <summary>Fills them as far as they go, so that what grows later is something else.</summary>
    public static void Fill()
    {
        foreach (int size in new[] { 16_384, 32_768, 65_536, 131_072 })
        {
            var arrays = Enumerable.Range(0, KeptPerCpu * Environment.ProcessorCount).Select(_ => ArrayPool<byte>.Shared.Rent(size)).ToArray();
            foreach (var array in arrays) ArrayPool<byte>.Shared.Return(array);
        }
    }
}
