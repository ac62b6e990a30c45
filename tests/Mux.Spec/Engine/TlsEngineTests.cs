using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class TlsEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.Tls);
