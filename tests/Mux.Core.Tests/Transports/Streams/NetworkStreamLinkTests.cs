using Mux.Core.Tests.Transports.Sockets;
using Mux.TestSupport.Transports.Streams;

namespace Mux.Core.Tests.Transports.Streams;

/// <summary>A link over a <see cref="System.Net.Sockets.NetworkStream"/> ends as one over the socket itself does, and holds as little.</summary>
[Collection(nameof(TransportTests))]
public sealed class NetworkStreamLinkTests() : SocketLinkTests(new NetworkStreamTransport());
