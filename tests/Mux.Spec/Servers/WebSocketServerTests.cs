namespace Mux.Spec.Servers;

public sealed class WebSocketServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.WebSocket);
