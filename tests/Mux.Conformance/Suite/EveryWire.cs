using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Suite;

/// <summary>The data of a theory that holds over all transports, with one connection and with several.</summary>
public sealed class EveryWire : TheoryData<TransportKind, int>
{
    public EveryWire()
    {
        foreach (var kind in EveryTransport.All)
        {
            foreach (int connections in new[] { 1, 3 }) Add(kind, connections);
        }
    }
}
