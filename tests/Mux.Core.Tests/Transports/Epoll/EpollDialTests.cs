using Mux.Core.Tests.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Epoll;

public sealed class EpollDialTests() : SocketDialTests(SharedLoops.Transport);
