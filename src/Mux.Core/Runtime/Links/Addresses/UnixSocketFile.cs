using System.Net.Sockets;

namespace Mux.Runtime;

/// <summary>The socket file of a Unix domain socket listener, which remains when its server is killed.</summary>
internal static class UnixSocketFile
{
    /// <summary>
    /// Removes the file if it is a socket without a listener. Leaves a live server's socket and any other file in place; the bind then fails.
    /// </summary>
    /// <remarks>Two servers that start at the same moment can both find the file dead; the second to bind then takes the path from the first.</remarks>
    /// <exception cref="SocketException">The path cannot be checked, or the file cannot be removed.</exception>
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
        // Not blocking: a live server that accepts nothing would block the probe.
        using var probe = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified) { Blocking = false };
        try
        {
            probe.Connect(endPoint);
            return false;
        }
        catch (SocketException e)
        {
            return e.SocketErrorCode is SocketError.ConnectionRefused; // also for a file that is not a socket
        }
    }

    private static bool IsSocket(string path)
    {
        try
        {
            // A socket cannot be opened as a file. Open for both reading and writing: opening a named pipe for only one of them would block.
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
