using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class WebSocketEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.WebSocket);
