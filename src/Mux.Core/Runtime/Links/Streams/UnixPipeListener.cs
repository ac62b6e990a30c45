using System.Net.Sockets;
using System.Runtime.Versioning;
using Mux.Transports.Streams;

namespace Mux.Runtime;

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
