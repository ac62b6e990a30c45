using System.Collections.Concurrent;
using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

/// <summary>A listener for each role, as long as the tests of a carrier run.</summary>
public sealed class EngineFixture : IDisposable
{
    private readonly ConcurrentDictionary<(Carrier, bool), EngineTarget> _targets = [];

    public void Dispose()
    {
        foreach (var target in _targets.Values) target.Dispose();
    }

    internal EngineTarget Target(Carrier carrier, bool accepting) =>
        _targets.GetOrAdd((carrier, accepting), key => new EngineTarget(CarrierTransports.Make(key.Item1), CarrierTransports.FreeAddress(key.Item1), key.Item2));
}
