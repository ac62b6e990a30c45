using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class MemoryEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.Memory);
