using System.Net.Sockets;

namespace Mux.Transports.Sockets;

/// <summary>The socket file of a Unix domain socket listener, which outlives a server that was killed.</summary>
internal static class UnixSocketFile
{
    /// <summary>
    /// Removes the file if it is a socket nobody listens at. Leaves a live server's socket, and whatever else may be there, for the bind to fail on.
    /// </summary>
    /// <remarks>Two servers starting at the same moment can both find the file dead; the second to bind then takes the path from the first.</remarks>
    /// <exception cref="SocketException">The path cannot be looked at, or the file cannot be removed.</exception>
    public static void RemoveIfDead(UnixDomainSocketEndPoint endPoint, string path)
    {
        if (!File.Exists(path) || !IsRefused(endPoint) || !IsSocket(path)) return;
        try
        {
            File.Delete(path);
        }
        catch (UnauthorizedAccessException)
        {
            throw new SocketException((int)SocketError.AccessDenied);
        }
    }

    private static bool IsRefused(UnixDomainSocketEndPoint endPoint)
    {
        // Not blocking: a server that lives but accepts nothing would keep the probe waiting.
        using var probe = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            probe.Connect(endPoint);
            return false;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode is SocketError.ConnectionRefused; // also for a file that is no socket at all
        }
    }

    private static bool IsSocket(string path)
    {
        try
        {
            // A socket cannot be opened as a file. For reading and writing, because opening a named pipe for one of them alone would block.
            File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete).Dispose();
            return false;
        }
        catch (UnauthorizedAccessException)
        {
            return false;
        }
        catch (IOException)
        {
            return true;
        }
    }
}
