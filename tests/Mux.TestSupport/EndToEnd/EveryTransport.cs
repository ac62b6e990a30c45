using Mux.Transports.Epoll;

namespace Mux.TestSupport.EndToEnd;

/// <summary>The data of a theory that holds over all transports.</summary>
public sealed class EveryTransport : TheoryData<TransportKind>
{
    public EveryTransport() => AddRange(Kinds);

    /// <summary>All of the engine's own that the operating system has.</summary>
    public static TransportKind[] Kinds => [.. All.Where(kind => kind is not (TransportKind.WebSocket or TransportKind.Kestrel))];

    /// <summary>Those of ASP.NET Core as well: other people's streams, over which the conformance suite runs.</summary>
    public static TransportKind[] All => [.. Enum.GetValues<TransportKind>().Where(kind => kind != TransportKind.Epoll || EpollTransport.IsSupported)];
}
