using System.Runtime.InteropServices;

namespace Mux.Buffers;

/// <summary>Gives the memory of an array back to the system before the garbage collector takes the array. On Linux; elsewhere nothing happens.</summary>
internal static partial class PhysicalMemory
{
    private const int DontNeed = 4; // MADV_DONTNEED: the pages read as zeros from now on

    /// <summary>
    /// The array has no user, and its content is lost. Its pages come back, empty, when they are used again, by this array or by what the collector puts there.
    /// </summary>
    public static unsafe void GiveBack(byte[] array)
    {
        if (!OperatingSystem.IsLinux()) return;
        fixed (byte* start = array)
        {
            nuint page = (nuint)Environment.SystemPageSize;
            nuint first = ((nuint)start + page - 1) & ~(page - 1), end = ((nuint)start + (nuint)array.Length) & ~(page - 1);
            if (end > first) _ = Advise((void*)first, end - first, DontNeed); // where the system refuses, the memory stays until a collection
        }
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static unsafe partial int Advise(void* address, nuint length, int advice);
}
