using System.Net;
using System.Net.Sockets;

namespace Mux.Transports.Sockets;

/// <summary>Connects a new socket, which the caller disposes if that fails: what engines do in ways of their own.</summary>
/// <exception cref="SocketException">It cannot be connected.</exception>
/// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> fired.</exception>
internal delegate ValueTask ConnectSocket(Socket socket, EndPoint endPoint, CancellationToken cancellationToken);
