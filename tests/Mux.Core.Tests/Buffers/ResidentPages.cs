using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace Mux.Core.Tests.Buffers;

/// <summary>Which pages of an array the system keeps in memory, as /proc/self/pagemap tells: an entry of 8 bytes for each page, whose highest bit says so. Linux.</summary>
internal static class ResidentPages
{
    private const int EntrySize = sizeof(ulong);
    private const ulong Present = 1UL << 63;

    public static int Of(byte[] array)
    {
        var pin = GCHandle.Alloc(array, GCHandleType.Pinned);
        try
        {
            long first = pin.AddrOfPinnedObject() / Environment.SystemPageSize;
            long last = (pin.AddrOfPinnedObject() + array.Length - 1) / Environment.SystemPageSize;
            using var map = new FileStream("/proc/self/pagemap", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
            map.Position = first * EntrySize;
            byte[] entries = new byte[(last - first + 1) * EntrySize];
            map.ReadExactly(entries);
            int present = 0;
            for (int i = 0; i < entries.Length; i += EntrySize)
            {
                if ((BinaryPrimitives.ReadUInt64LittleEndian(entries.AsSpan(i)) & Present) != 0) present++;
            }

            return present;
        }
        finally
        {
            pin.Free();
        }
    }
}
