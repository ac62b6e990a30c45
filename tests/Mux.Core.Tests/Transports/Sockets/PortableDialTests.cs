using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

public sealed class PortableDialTests() : SocketDialTests(new SocketTransport());
