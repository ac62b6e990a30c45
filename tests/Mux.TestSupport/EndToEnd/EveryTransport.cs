namespace Mux.TestSupport.EndToEnd;

/// <summary>The data of a theory that holds over all transports.</summary>
public sealed class EveryTransport : TheoryData<TransportKind>
{
    public EveryTransport() => AddRange(Enum.GetValues<TransportKind>());
}
