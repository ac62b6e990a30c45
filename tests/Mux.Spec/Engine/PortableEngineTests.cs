using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class PortableEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.Portable);
