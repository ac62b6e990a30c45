using System.Net.Sockets;
using Mux.Transports.Streams;

namespace Mux.Runtime;

/// <summary>Named pipes outside Windows: a Unix domain socket in the temporary folder, with the file name that .NET uses.</summary>
internal static class UnixPipe
{
    private const string Prefix = "CoreFxPipe_";

    public static string PathOf(string name) => Path.Combine(Path.GetTempPath(), Prefix + name);

    public static StreamConnection Over(Socket socket)
    {
        var identity = PeerUser.IdentityOf(socket);
        var connection = StreamConnection.Over(new NetworkStream(socket, ownsSocket: true));
        connection.Identity = identity;
        return connection;
    }

    /// <exception cref="IOException">The pipe does not exist, its server does not accept, or its server runs as another user.</exception>
    public static async ValueTask<StreamConnection> ConnectAsync(string name, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(EndPointOf(name), cancellationToken).ConfigureAwait(false);
            if (OperatingSystem.IsLinux() && !PeerUser.IsOwn(socket)) throw new IOException("the server runs as another user");
            return Over(socket);
        }
        catch (SocketException e)
        {
            socket.Dispose();
            throw new IOException(Describe(e.SocketErrorCode), e);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <exception cref="IOException">The path of the temporary folder is too long for a socket.</exception>
    public static UnixDomainSocketEndPoint EndPointOf(string name)
    {
        try
        {
            return new UnixDomainSocketEndPoint(PathOf(name));
        }
        catch (ArgumentOutOfRangeException e)
        {
            throw new IOException($"'{PathOf(name)}' is too long for a socket: the temporary folder needs a shorter path", e);
        }
    }

    private static string Describe(SocketError error) => error switch
    {
        SocketFailure.NoSuchFile => "no such pipe",
        SocketError.ConnectionRefused => "the pipe no longer has a server",
        SocketError.TryAgain or SocketError.WouldBlock => "the pipe is busy: its server does not accept connections",
        _ => SocketFailure.Describe(error),
    };
}
