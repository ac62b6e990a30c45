using System.Net;
using System.Net.Sockets;

namespace Mux.Transports.Sockets;

/// <summary>Connects a new socket in the way of the socket engine. The caller disposes the socket if that fails.</summary>
/// <exception cref="SocketException">The connect failed.</exception>
/// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled.</exception>
internal delegate ValueTask ConnectSocket(Socket socket, EndPoint endPoint, CancellationToken cancellationToken);
