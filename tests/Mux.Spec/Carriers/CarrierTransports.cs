using Microsoft.Extensions.Logging.Abstractions;
using Mux.TestSupport.Transports.Streams;
using Mux.TestSupport.Transports.Tls;
using Mux.TestSupport.Transports.WebSockets;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;

namespace Mux.Spec.Carriers;

/// <summary>A transport for each carrier, and where it can listen.</summary>
internal static class CarrierTransports
{
    public static bool IsSupported(Carrier carrier) => carrier != Carrier.Epoll || EpollTransport.IsSupported;

    public static ITransport Make(Carrier carrier) => carrier switch
    {
        Carrier.Memory => new InMemoryTransport(),
        Carrier.Portable or Carrier.Unix => new SocketTransport(),
        Carrier.Epoll => new EpollTransport(new EpollTransportOptions { LoopCount = 1 }, NullLogger.Instance, TimeProvider.System),
        Carrier.Streams => new NetworkStreamTransport(),
        Carrier.Tls => TlsTransports.Create(),
        _ => new UpgradingTransport(),
    };

    /// <summary>An address that is free to listen at.</summary>
    public static MuxAddress FreeAddress(Carrier carrier) => carrier switch
    {
        Carrier.Memory => MuxAddress.Parse("mux://memory:0"),
        Carrier.Unix => MuxAddress.Parse($"mux+unix://{Path.GetTempPath()}mux-{Guid.NewGuid():N}.sock"),
        Carrier.Tls => TlsTransports.FreeAddress,
        Carrier.WebSocket => MuxAddress.Parse("mux+ws://127.0.0.1:0/mux"),
        _ => MuxAddress.Parse("mux://127.0.0.1:0"),
    };
}
