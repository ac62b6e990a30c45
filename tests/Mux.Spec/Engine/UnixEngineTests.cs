using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class UnixEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.Unix);
