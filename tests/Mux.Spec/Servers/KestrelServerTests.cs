namespace Mux.Spec.Servers;

public sealed class KestrelServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Kestrel);
