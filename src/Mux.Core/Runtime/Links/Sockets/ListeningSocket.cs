using System.Net;
using System.Net.Sockets;

namespace Mux.Runtime;

/// <summary>Creates listening sockets.</summary>
internal static class ListeningSocket
{
    // Bursts of connects wait here until the listener accepts them; the system may allow less (net.core.somaxconn).
    private const int Backlog = 4096;

    // The first timer of a process starts the runtime's timer thread. Create one now: a listener sets a timer when it runs out of handles, and the thread could
    // no longer start then, which would end the process.
    private static readonly ITimer s_firstTimer = CreateTimer();

    /// <summary>Creates a timer without the AsyncLocals of its caller: it lives as long as the process, and would keep the context of that code.</summary>
    internal static ITimer CreateTimer()
    {
        using AsyncFlowControl? flow = ExecutionContext.IsFlowSuppressed() ? null : ExecutionContext.SuppressFlow();
        return TimeProvider.System.CreateTimer(static _ => { }, null, TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Binds a socket to an address and listens; port 0 picks a free port.</summary>
    /// <returns>The socket, and the address with the actual port.</returns>
    /// <exception cref="IOException">The bind failed; the message names the address and the reason.</exception>
    public static (Socket Socket, MuxAddress Address) Bind(MuxAddress address, SocketSetup setup)
    {
        GC.KeepAlive(s_firstTimer);
        Socket? socket = null;
        try
        {
            var endPoint = SocketEndPoints.ResolveLocal(address);
            socket = setup.Create(endPoint);
            if (endPoint is UnixDomainSocketEndPoint file) UnixSocketFile.RemoveIfDead(file, address.Path);
            if (endPoint is IPEndPoint ip && ip.Address.Equals(IPAddress.IPv6Any)) socket.DualMode = true;
            socket.Bind(endPoint);
            socket.Listen(Backlog);
            return (socket, socket.LocalEndPoint is IPEndPoint bound ? address.WithPort(bound.Port) : address);
        }
        catch (SocketException e)
        {
            socket?.Dispose();
            bool isMissingFolder = address.Scheme == MuxAddress.UnixScheme && e.SocketErrorCode is SocketFailure.NoSuchFile;
            throw new IOException($"Cannot listen at {address}: {(isMissingFolder ? "no such folder" : SocketFailure.Describe(e.SocketErrorCode))}.", e);
        }
        catch (IOException e)
        {
            socket?.Dispose();
            throw new IOException($"Cannot listen at {address}: {e.Message}", e);
        }
    }
}
