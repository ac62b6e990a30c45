namespace Mux.Spec.Servers;

public sealed class TlsServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Tls);
