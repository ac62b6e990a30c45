using System.Runtime.InteropServices;

namespace Yardstick;

/// <summary>The system calls of the event loop.</summary>
internal static unsafe partial class Libc
{
    public const int TryAgain = 11;
    public const int AddToEpoll = 1;
    public const int RemoveFromEpoll = 2;
    public const uint Readable = 1;

    private const int DontWait = 0x40;
    private const int NoSignal = 0x4000;

    /// <returns>Bytes received, 0 at the end of the stream, or minus the error.</returns>
    public static int Receive(int handle, Span<byte> to)
    {
        fixed (byte* bytes = to)
        {
            nint count = recv(handle, bytes, (nuint)to.Length, DontWait);
            return count >= 0 ? (int)count : -Marshal.GetLastPInvokeError();
        }
    }

    /// <returns>Bytes sent, or minus the error.</returns>
    public static int Send(int handle, ReadOnlySpan<byte> from)
    {
        fixed (byte* bytes = from)
        {
            nint count = send(handle, bytes, (nuint)from.Length, DontWait | NoSignal);
            return count >= 0 ? (int)count : -Marshal.GetLastPInvokeError();
        }
    }

    [LibraryImport("libc")]
    public static partial int epoll_create1(int flags);

    [LibraryImport("libc")]
    public static partial int epoll_ctl(int epoll, int operation, int handle, EpollEvent* interest);

    [LibraryImport("libc")]
    public static partial int epoll_wait(int epoll, EpollEvent* ready, int capacity, int timeoutMilliseconds);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint send(int handle, byte* bytes, nuint count, int flags);

    [LibraryImport("libc", SetLastError = true)]
    private static partial nint recv(int handle, byte* bytes, nuint count, int flags);

    /// <summary>As the kernel lays it out on x64: without padding.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 1)]
    public struct EpollEvent
    {
        public uint Events;
        public ulong Data;
    }
}
