namespace Mux.Spec.Servers;

public sealed class StreamsServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Streams);
