using System.Buffers;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>System calls of the event loop. They return -1 for an error; read its number from <see cref="LastError"/> at once, on the same thread.</summary>
/// <remarks>
/// <see cref="PollEvents"/> is marked SuppressGCTransition: it never waits and costs 0.1-0.2 us, of which the transition would be a large part. Sends and
/// receives are not: they take 1-10 us, because they include the peer's side of the work, and a garbage collection would have to wait for them.
/// </remarks>
internal static unsafe partial class Libc
{
    private const int DontWait = 0x40; // MSG_DONTWAIT
    private const int NoSignal = 0x4000; // MSG_NOSIGNAL
    private const int NonBlocking = 0x800; // SOCK_NONBLOCK, EFD_NONBLOCK
    private const int CloseOnExec = 0x80000; // SOCK_CLOEXEC, EFD_CLOEXEC, EPOLL_CLOEXEC
    private const int ShutdownWrite = 1; // SHUT_WR

    /// <summary>Error number of the last call.</summary>
    public static int LastError => Marshal.GetLastSystemError();

    public static int CreateEpoll() => EpollCreate(CloseOnExec);

    public static int CreateEvent() => EventFd(0, NonBlocking | CloseOnExec);

    /// <summary>Sleeps until there is an event. Returns the number of events filled in.</summary>
    public static int WaitForEvents(int epoll, byte* events, int capacity) => EpollWait(epoll, events, capacity, -1);

    /// <summary>Returns the number of events filled in, without sleeping.</summary>
    public static int PollEvents(int epoll, byte* events, int capacity) => EpollPoll(epoll, events, capacity, 0);

    public static int Control(int epoll, int operation, int handle, byte* interest) => EpollControl(epoll, operation, handle, interest);

    /// <summary>Makes an event handle readable.</summary>
    public static void Signal(int handle)
    {
        ulong one = 1;
        while (Write(handle, (byte*)&one, sizeof(ulong)) < 0 && LastError == Errno.Interrupted)
        {
        }
    }

    /// <summary>Makes an event handle unreadable again.</summary>
    public static void Unsignal(int handle)
    {
        ulong count;
        while (Read(handle, (byte*)&count, sizeof(ulong)) < 0 && LastError == Errno.Interrupted)
        {
        }
    }

    /// <summary>Begins to connect a non-blocking socket. Returns 0, or the number of the error, which may be <see cref="Errno.InProgress"/>.</summary>
    public static int Connect(int socket, ReadOnlySpan<byte> address)
    {
        fixed (byte* start = address)
        {
            // After an interrupt the connect continues by itself (connect(2)).
            return Connect(socket, start, (uint)address.Length) == 0 ? 0 : LastError is var error && error == Errno.Interrupted ? Errno.InProgress : error;
        }
    }

    /// <summary>Receives what is available, without waiting. Returns 0 at the end of the stream.</summary>
    public static int Receive(int socket, Span<byte> room, out int error)
    {
        fixed (byte* start = room)
        {
            nint count;
            do
            {
                count = Recv(socket, start, (nuint)room.Length, DontWait);
                error = count < 0 ? LastError : 0;
            }
            while (error == Errno.Interrupted);
            return (int)count;
        }
    }

    /// <summary>Sends what fits, without waiting and without SIGPIPE.</summary>
    public static int Send(int socket, ReadOnlySpan<byte> bytes, out int error)
    {
        fixed (byte* start = bytes)
        {
            nint count;
            do
            {
                count = Send(socket, start, (nuint)bytes.Length, DontWait | NoSignal);
                error = count < 0 ? LastError : 0;
            }
            while (error == Errno.Interrupted);
            return (int)count;
        }
    }

    /// <summary>Like a send of one piece, for at most <see cref="Link.MaxPieces"/> pieces in order.</summary>
    public static int SendPieces(int socket, ReadOnlySpan<ReadOnlyMemory<byte>> pieces, out int error)
    {
        var vectors = stackalloc Vector[Link.MaxPieces];
        var pins = default(Pins);
        for (int i = 0; i < pieces.Length; i++)
        {
            pins[i] = pieces[i].Pin();
            vectors[i] = new Vector(pins[i].Pointer, (nuint)pieces[i].Length);
        }

        var message = new MessageHeader { Vectors = vectors, VectorCount = (nuint)pieces.Length };
        nint count;
        do
        {
            count = SendMessage(socket, &message, DontWait | NoSignal);
            error = count < 0 ? LastError : 0;
        }
        while (error == Errno.Interrupted);
        for (int i = 0; i < pieces.Length; i++) pins[i].Dispose();
        return (int)count;
    }

    /// <summary>Accepts the next connection as a non-blocking handle that child processes do not inherit.</summary>
    public static int Accept(int listener, out int error)
    {
        int socket = Accept4(listener, null, null, NonBlocking | CloseOnExec);
        error = socket < 0 ? LastError : 0;
        return socket;
    }

    /// <summary>Ends the sending direction. Fails only on a broken connection, which the receiving side reports.</summary>
    public static void ShutdownSend(int socket) => _ = Shutdown(socket, ShutdownWrite);

    [LibraryImport("libc", EntryPoint = "epoll_create1")]
    private static partial int EpollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "eventfd")]
    private static partial int EventFd(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl")]
    private static partial int EpollControl(int epoll, int operation, int handle, byte* interest);

    [LibraryImport("libc", EntryPoint = "epoll_wait")]
    private static partial int EpollWait(int epoll, byte* events, int capacity, int timeout);

    [LibraryImport("libc", EntryPoint = "epoll_wait")]
    [SuppressGCTransition]
    private static partial int EpollPoll(int epoll, byte* events, int capacity, int timeout);

    [LibraryImport("libc", EntryPoint = "read")]
    private static partial nint Read(int handle, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "write")]
    private static partial nint Write(int handle, byte* buffer, nuint count);

    [LibraryImport("libc", EntryPoint = "connect")]
    private static partial int Connect(int socket, byte* address, uint length);

    [LibraryImport("libc", EntryPoint = "recv")]
    private static partial nint Recv(int socket, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "send")]
    private static partial nint Send(int socket, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "sendmsg")]
    private static partial nint SendMessage(int socket, MessageHeader* message, int flags);

    [LibraryImport("libc", EntryPoint = "accept4")]
    private static partial int Accept4(int listener, void* address, void* length, int flags);

    [LibraryImport("libc", EntryPoint = "shutdown")]
    private static partial int Shutdown(int socket, int how);

    /// <summary>struct iovec.</summary>
    private readonly struct Vector(void* start, nuint length)
    {
        public readonly void* Start = start;
        public readonly nuint Length = length;
    }

    /// <summary>struct msghdr of 64-bit systems. The counts of musl are 32 bits with padding, which is the same where the low half comes first.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct MessageHeader
    {
        public void* Name;
        public uint NameLength;
        public Vector* Vectors;
        public nuint VectorCount;
        public void* Control;
        public nuint ControlLength;
        public int Flags;
    }

    [InlineArray(Link.MaxPieces)]
    private struct Pins
    {
        private MemoryHandle _first;
    }
}

/// <summary>Linux error numbers, the same on every architecture that .NET supports, and the <see cref="SocketError"/> that the runtime maps them to.</summary>
internal static class Errno
{
    public const int NoEntry = 2; // ENOENT
    public const int Interrupted = 4; // EINTR
    public const int Again = 11; // EAGAIN
    public const int NoMemory = 12; // ENOMEM
    public const int FileTableFull = 23; // ENFILE
    public const int TooManyFiles = 24; // EMFILE
    public const int ConnectionAborted = 103; // ECONNABORTED
    public const int InProgress = 115; // EINPROGRESS

    /// <summary>Maps like the runtime, so that both socket engines report a failure with the same error.</summary>
    public static SocketError ToSocketError(int error) => error switch
    {
        0 => SocketError.Success,
        1 or 13 => SocketError.AccessDenied, // EPERM, EACCES
        9 => SocketError.OperationAborted, // EBADF
        Again => SocketError.WouldBlock,
        NoMemory or 105 => SocketError.NoBufferSpaceAvailable, // ENOBUFS
        FileTableFull or TooManyFiles => SocketError.TooManyOpenSockets,
        32 => SocketError.Shutdown, // EPIPE
        97 => SocketError.AddressFamilyNotSupported, // EAFNOSUPPORT
        98 => SocketError.AddressAlreadyInUse,
        99 => SocketError.AddressNotAvailable,
        100 => SocketError.NetworkDown,
        101 => SocketError.NetworkUnreachable,
        102 => SocketError.NetworkReset,
        ConnectionAborted => SocketError.ConnectionAborted,
        104 => SocketError.ConnectionReset,
        107 => SocketError.NotConnected,
        110 => SocketError.TimedOut,
        111 => SocketError.ConnectionRefused,
        112 => SocketError.HostDown,
        113 => SocketError.HostUnreachable,
        _ => SocketError.SocketError,
    };
}
