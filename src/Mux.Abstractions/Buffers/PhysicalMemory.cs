using System.Runtime.InteropServices;

namespace Mux.Buffers;

/// <summary>
/// Returns the memory of an array to the system before the garbage collector collects the array. Only on Linux; has no effect elsewhere.
/// </summary>
internal static partial class PhysicalMemory
{
    private const int DontNeed = 4; // MADV_DONTNEED: the pages read as zeros from now on

    /// <summary>
    /// Releases the pages of an array that has no user; its content is lost. New, empty pages appear when the memory is used again, by this array or by objects
    /// that the collector places there.
    /// </summary>
    public static unsafe void GiveBack(byte[] array)
    {
        if (!OperatingSystem.IsLinux()) return;
        fixed (byte* start = array)
        {
            nuint page = (nuint)Environment.SystemPageSize;
            nuint first = ((nuint)start + page - 1) & ~(page - 1), end = ((nuint)start + (nuint)array.Length) & ~(page - 1);
            if (end > first) _ = Advise((void*)first, end - first, DontNeed); // if the system refuses, the memory stays until a collection
        }
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static unsafe partial int Advise(void* address, nuint length, int advice);
}
