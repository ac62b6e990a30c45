using System.Net;
using System.Net.Sockets;
using System.Text;
using Mux.Transports.Streams;

namespace Mux.Tool.Serving;

/// <summary>TCP by <see cref="NetworkStream"/>: shows the cost of links over streams compared with engines that use the same sockets directly.</summary>
/// <param name="congestionControl">Name in the kernel, Linux only; null for the system's choice.</param>
internal sealed class TcpStreamTransport(string? congestionControl) : StreamTransport
{
    // From linux/tcp.h.
    private const int TcpProtocolLevel = 6;
    private const int TcpCongestion = 13;

    protected override void CheckAddress(MuxAddress address)
    {
        if (address.Scheme != MuxAddress.TcpScheme)
        {
            throw new NotSupportedException($"{address}: the engine {EngineChoice.Streams} speaks {MuxAddress.TcpScheme} only.");
        }
    }

    protected override async ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            SetCongestionControl(socket);
            await socket.ConnectAsync(address.Host, address.Port, cancellationToken).ConfigureAwait(false);
            return Over(socket);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    protected override IStreamListener Bind(MuxAddress address)
    {
        var listener = new Listener(address);
        try
        {
            SetCongestionControl(listener.Socket); // accepted sockets inherit it
            return listener;
        }
        catch (IOException error)
        {
            listener.Dispose();
            throw new IOException($"Cannot listen at {address}: {error.Message}.", error);
        }
    }

    private static StreamConnection Over(Socket socket) => StreamConnection.Over(new NetworkStream(socket, ownsSocket: true), $"{socket.RemoteEndPoint}");

    private void SetCongestionControl(Socket socket)
    {
        try
        {
            if (congestionControl is not null) socket.SetRawSocketOption(TcpProtocolLevel, TcpCongestion, Encoding.ASCII.GetBytes(congestionControl));
        }
        catch (SocketException error)
        {
            throw new IOException($"congestion control '{congestionControl}' is not available here", error);
        }
    }

    private sealed class Listener : IStreamListener
    {
        private readonly TcpListener _listener;

        public Listener(MuxAddress address)
        {
            try
            {
                _listener = new TcpListener(Dns.GetHostAddresses(address.Host)[0], address.Port);
                _listener.Start();
            }
            catch (SocketException error)
            {
                throw new IOException($"Cannot listen at {address}: {error.Message}.", error);
            }

            Address = address.WithPort(((IPEndPoint)_listener.LocalEndpoint).Port);
        }

        public MuxAddress Address { get; }

        public Socket Socket => _listener.Server;

        public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
        {
            var socket = await _listener.AcceptSocketAsync(cancellationToken).ConfigureAwait(false);
            socket.NoDelay = true;
            return Over(socket);
        }

        public void Dispose() => _listener.Dispose();
    }
}
