using System.Net.Sockets;

namespace Mux.Runtime;

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
