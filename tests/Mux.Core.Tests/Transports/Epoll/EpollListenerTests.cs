using Mux.Core.Tests.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Epoll;

[Collection(nameof(TransportTests))]
public sealed class EpollListenerTests() : SocketListenerTests(log => SharedLoops.With(log));
