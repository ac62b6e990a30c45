using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

[Collection(nameof(TransportTests))]
public sealed class PortableListenerTests() : SocketListenerTests(log => new SocketTransport(new SocketTransportOptions(), log, TimeProvider.System));
