namespace Mux.Spec.Servers;

public sealed class PortableServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Portable);
