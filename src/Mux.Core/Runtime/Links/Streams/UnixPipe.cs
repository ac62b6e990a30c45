using System.Net.Sockets;
using System.Runtime.Versioning;
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

/// <summary>Accepts at the Unix domain socket that represents a named pipe.</summary>
[UnsupportedOSPlatform("windows")]
internal sealed class UnixPipeListener : IStreamListener
{
    private const int Backlog = 4096; // as for every listening socket

    private readonly Socket _socket = new(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);

    /// <exception cref="IOException">The listener cannot be created; the message names the address and the reason.</exception>
    public UnixPipeListener(MuxAddress address)
    {
        Address = address;
        try
        {
            var (endPoint, path) = (UnixPipe.EndPointOf(address.Path), UnixPipe.PathOf(address.Path));
            UnixSocketFile.RemoveIfDead(endPoint, path);
            _socket.Bind(endPoint);
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite); // before Listen, so no client can connect earlier
            _socket.Listen(Backlog);
        }
        catch (SocketException e)
        {
            _socket.Dispose();
            throw new IOException($"Cannot listen at {address}: {SocketFailure.Describe(e.SocketErrorCode)}.", e);
        }
        catch (IOException e)
        {
            _socket.Dispose();
            throw new IOException($"Cannot listen at {address}: {e.Message.TrimEnd('.')}.", e);
        }
    }

    public MuxAddress Address { get; }

    public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken) =>
        UnixPipe.Over(await _socket.AcceptAsync(cancellationToken).ConfigureAwait(false));

    public void Dispose() => _socket.Dispose(); // the runtime removes the socket file
}
