namespace Mux.Spec.Servers;

public sealed class UnixServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Unix);
