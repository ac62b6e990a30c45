using System.Net;
using System.Net.Sockets;
using Mux.Transports.Streams;

namespace Mux.TestSupport.Transports.Streams;

/// <summary>TCP over loopback, by <see cref="NetworkStream"/>: the streams transport beside the engines that use the same sockets.</summary>
public sealed class NetworkStreamTransport : StreamTransport
{
    protected override void CheckAddress(MuxAddress address) => Assert.Equal(MuxAddress.TcpScheme, address.Scheme);

    protected override async ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, address.Port), cancellationToken);
            return Wrap(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    protected override IStreamListener Bind(MuxAddress address) => new Listener(address);

    private static StreamConnection Wrap(Socket socket) => StreamConnection.Over(new NetworkStream(socket, ownsSocket: true), $"{socket.RemoteEndPoint}");

    private sealed class Listener : IStreamListener
    {
        private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

        public Listener(MuxAddress address)
        {
            try
            {
                _socket.Bind(new IPEndPoint(IPAddress.Loopback, address.Port));
                _socket.Listen();
            }
            catch (SocketException)
            {
                _socket.Dispose();
                throw new IOException($"Cannot listen at {address}: the address is in use.");
            }

            Address = address.WithPort(((IPEndPoint)_socket.LocalEndPoint!).Port);
        }

        public MuxAddress Address { get; }

        public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
        {
            var socket = await _socket.AcceptAsync(cancellationToken);
            socket.NoDelay = true;
            return Wrap(socket);
        }

        public void Dispose() => _socket.Dispose();
    }
}
