namespace Mux.TestSupport.EndToEnd;

/// <summary>The data of a theory that holds over all transports whose links go on without a thread that is stuck.</summary>
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
