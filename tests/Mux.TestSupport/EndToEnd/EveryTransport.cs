using Mux.Transports.Epoll;

namespace Mux.TestSupport.EndToEnd;

/// <summary>The data of a theory that holds over all transports.</summary>
public sealed class EveryTransport : TheoryData<TransportKind>
{
    public EveryTransport() => AddRange(Kinds);

    /// <summary>All that the operating system has.</summary>
    public static TransportKind[] Kinds => [.. Enum.GetValues<TransportKind>().Where(kind => kind != TransportKind.Epoll || EpollTransport.IsSupported)];
}
