using System.Net.Sockets;
using Mux.Transports;

namespace Mux.Runtime;

/// <summary>Maps socket errors to close causes and messages.</summary>
internal static class SocketFailure
{
    /// <summary>The error that the runtime reports for ENOENT.</summary>
    public const SocketError NoSuchFile = SocketError.AddressNotAvailable;

    /// <summary>Tells whether the peer or the network broke the connection, or something failed on this side.</summary>
    public static LinkCloseCause CauseOf(SocketError error) => error switch
    {
        SocketError.ConnectionReset or SocketError.ConnectionAborted or SocketError.Disconnecting or SocketError.Shutdown => LinkCloseCause.Reset,
        SocketError.NetworkReset or SocketError.NetworkDown or SocketError.NetworkUnreachable => LinkCloseCause.Reset,
        SocketError.HostDown or SocketError.HostUnreachable or SocketError.TimedOut => LinkCloseCause.Reset,
        _ => LinkCloseCause.Failed,
    };

    /// <summary>Describes the error in words, without a closing period.</summary>
    public static string Describe(SocketError error) => error switch
    {
        SocketError.ConnectionRefused => "connection refused",
        SocketError.ConnectionReset => "connection reset by the peer",
        SocketError.Shutdown => "the peer closed the connection",
        SocketError.TimedOut => "timed out",
        SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain => "the host name cannot be resolved",
        SocketError.HostUnreachable => "host unreachable",
        SocketError.NetworkUnreachable => "network unreachable",
        SocketError.AddressAlreadyInUse => "the address is in use",
        SocketError.AddressNotAvailable => "no such address on this machine",
        SocketError.AccessDenied => "permission denied",
        SocketError.TooManyOpenSockets => "too many open handles",
        _ => new SocketException((int)error).Message,
    };

    /// <summary>Creates the error that a link reports when an operation on its established connection fails.</summary>
    public static IOException ToException(string remoteAddress, SocketError error)
    {
        var where = remoteAddress.Length > 0 ? $"Connection with {remoteAddress}" : "Connection";
        return new IOException($"{where}: {Describe(error)}.", new SocketException((int)error));
    }
}
