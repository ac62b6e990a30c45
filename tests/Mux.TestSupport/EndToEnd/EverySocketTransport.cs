namespace Mux.TestSupport.EndToEnd;

/// <summary>The data of a theory about threads and buffers of the system: over all transports but the one in memory.</summary>
public sealed class EverySocketTransport : TheoryData<TransportKind>
{
    public EverySocketTransport()
    {
        foreach (var kind in EveryTransport.Kinds)
        {
            if (kind != TransportKind.InMemory) Add(kind);
        }
    }
}
