using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class StreamsEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.Streams);
