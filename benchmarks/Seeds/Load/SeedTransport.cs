using Microsoft.Extensions.Logging.Abstractions;
using Mux.Transports;
using Mux.Transports.Sockets;
using Seeds.Transports;

namespace Seeds.Load;

/// <summary>The transports of both ends.</summary>
internal static class SeedTransport
{
    /// <summary>The usual default, bbr or cubic, paces loopback or does not, as the machine likes.</summary>
    public static string? Congestion => OperatingSystem.IsLinux() ? "reno" : null;

    public static ITransport Create() => new SocketTransport(new SocketTransportOptions { CongestionControl = Congestion }, NullLogger.Instance, TimeProvider.System);

    /// <summary>The same with every frame sent by itself.</summary>
    public static ITransport CreateUnmerged() => new DecoratingTransport(Create(), link => new UnmergedLink(link));
}
