using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;

namespace Mux.Tool.Serving;

/// <summary>The kernel's congestion control of TCP connections. On loopback it affects the figures considerably: bbr paces.</summary>
internal static partial class CongestionControl
{
    // From linux/tcp.h: level IPPROTO_TCP, option TCP_CONGESTION, TCP_CA_NAME_MAX.
    private const int TcpLevel = 6;
    private const int TcpCongestion = 13;
    private const int MaxNameLength = 16;

    /// <summary>The congestion control that does not pace: loopback has no bottleneck whose rate pacing could find.</summary>
    private const string ForLoopback = "reno";

    private const string Available = "/proc/sys/net/ipv4/tcp_available_congestion_control";

    /// <summary>Checks whether connections of this process can use it.</summary>
    /// <returns>Null, or the problem and the allowed values.</returns>
    public static string? Check(string name)
    {
        if (!OperatingSystem.IsLinux()) return "can be set on Linux only";
        try
        {
            using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.SetRawSocketOption(TcpLevel, TcpCongestion, Encoding.ASCII.GetBytes(name));
            return null;
        }
        catch (SocketException)
        {
            var names = File.Exists(Available) ? File.ReadAllText(Available).Trim() : "unknown";
            return $"expected one that this machine has: {names.Replace(" ", ", ", StringComparison.Ordinal)}";
        }
    }

    /// <summary>Gets the congestion control for connections for which none was chosen: one that does not pace on loopback, if the system has it.</summary>
    /// <param name="target">The address of a server; null for one that the tool starts, on loopback.</param>
    /// <param name="check">Checks a name, as <see cref="Check"/>.</param>
    /// <returns>The name, null for the system's choice; and a note if the system lacks it.</returns>
    public static (string? Name, string? Note) DefaultFor(MuxAddress? target, Func<string, string?> check)
    {
        bool isOnLoopback = target is null || (target.Scheme is MuxAddress.TcpScheme or MuxAddress.TlsScheme && IsLoopback(target.Host));
        if (!isOnLoopback || !OperatingSystem.IsLinux()) return (null, null);
        return check(ForLoopback) is { } failure
            ? (null, $"This system has no {ForLoopback}, so it chose the congestion control, which may pace TCP on loopback; {failure}.")
            : (ForLoopback, null);
    }

    /// <summary>Gets the congestion control in use on the connections of this process with an address.</summary>
    /// <returns>Null if there are no connections or the system does not tell; several names are joined by a slash.</returns>
    public static string? InForce(MuxAddress address)
    {
        if (!OperatingSystem.IsLinux() || address.Scheme is not (MuxAddress.TcpScheme or MuxAddress.TlsScheme)) return null;
        var names = new SortedSet<string>(StringComparer.Ordinal);
        Span<byte> name = stackalloc byte[MaxNameLength];
        foreach (var entry in Directory.EnumerateFiles("/proc/self/fd"))
        {
            if (!int.TryParse(Path.GetFileName(entry), NumberStyles.None, CultureInfo.InvariantCulture, out int handle)) continue;
            int length = name.Length;
            if (!HasPort(handle, address.Port) || GetSocketOption(handle, TcpLevel, TcpCongestion, name, ref length) != 0) continue;
            names.Add(Encoding.ASCII.GetString(name[..length]).TrimEnd('\0'));
        }

        return names.Count == 0 ? null : string.Join('/', names);
    }

    private static bool IsLoopback(string host) =>
        host == "localhost" || (IPAddress.TryParse(host.Trim('[', ']'), out var address) && IPAddress.IsLoopback(address));

    /// <summary>True if a handle is a connected socket of which one end has this port.</summary>
    private static bool HasPort(int handle, int port)
    {
        Span<byte> address = stackalloc byte[28]; // sockaddr_in6; the port is in network order at offset 2 in both families
        int length = address.Length;
        if (GetPeerName(handle, address, ref length) != 0) return false;
        if ((address[2] << 8 | address[3]) == port) return true;
        length = address.Length;
        return GetSocketName(handle, address, ref length) == 0 && (address[2] << 8 | address[3]) == port;
    }

    // The runtime's Socket cannot inspect a connection of a transport, and the transport exposes none.
    [LibraryImport("libc", EntryPoint = "getsockopt")]
    private static partial int GetSocketOption(int handle, int level, int option, Span<byte> value, ref int length);

    [LibraryImport("libc", EntryPoint = "getpeername")]
    private static partial int GetPeerName(int handle, Span<byte> address, ref int length);

    [LibraryImport("libc", EntryPoint = "getsockname")]
    private static partial int GetSocketName(int handle, Span<byte> address, ref int length);
}
