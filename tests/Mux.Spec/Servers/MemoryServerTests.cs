namespace Mux.Spec.Servers;

public sealed class MemoryServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Memory);
