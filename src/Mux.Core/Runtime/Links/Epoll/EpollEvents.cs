using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Runtime;

/// <summary>
/// Buffer for the events of one wait, owned by the leader of the loop. A successor may overwrite unread events: they are level-triggered, so the kernel reports
/// them again.
/// </summary>
internal sealed unsafe class EpollEvents
{
    /// <summary>Maximum number of events per wait.</summary>
    public const int Capacity = 256;

    // struct epoll_event { uint32_t events; uint64_t data; }, without padding on x86 and with it elsewhere.
    private static readonly bool s_isPacked = RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.X86;
    private static readonly int s_dataOffset = s_isPacked ? 4 : 8;
    private static readonly int s_size = s_dataOffset + sizeof(ulong);

    // Pinned: the kernel writes to it while a wait sleeps.
    private readonly byte[] _bytes = GC.AllocateUninitializedArray<byte>(Capacity * s_size, pinned: true);

    /// <summary>Waits for events. Returns at once if <paramref name="sleeps"/> is false.</summary>
    /// <returns>Number of events; 0 also when a signal interrupted the wait.</returns>
    /// <exception cref="InvalidOperationException">epoll_wait failed, for example because the handle is not an epoll handle.</exception>
    public int Wait(int epoll, bool sleeps)
    {
        var start = (byte*)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_bytes));
        int count = sleeps ? Libc.WaitForEvents(epoll, start, Capacity) : Libc.PollEvents(epoll, start, Capacity);
        if (count >= 0) return count;
        int error = Libc.LastError;
        return error == Errno.Interrupted ? 0 : throw new InvalidOperationException($"epoll_wait failed with error {error}.");
    }

    /// <summary>Events of the entry: bits of <see cref="EpollFlags"/>.</summary>
    public uint FlagsOf(int index) => Unsafe.ReadUnaligned<uint>(ref _bytes[index * s_size]);

    /// <summary>The data passed to <see cref="Control"/> for the handle of the entry.</summary>
    public ulong DataOf(int index) => Unsafe.ReadUnaligned<ulong>(ref _bytes[(index * s_size) + s_dataOffset]);

    /// <summary>Adds, changes or removes the interest in a handle. Thread-safe.</summary>
    /// <returns>0, or the error number.</returns>
    public static int Control(int epoll, EpollOperation operation, int handle, uint flags, ulong data)
    {
        byte* interest = stackalloc byte[s_size];
        Unsafe.WriteUnaligned(interest, flags);
        Unsafe.WriteUnaligned(interest + s_dataOffset, data);
        return Libc.Control(epoll, (int)operation, handle, interest) == 0 ? 0 : Libc.LastError;
    }
}
