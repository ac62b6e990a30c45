using Mux.Spec.Carriers;

namespace Mux.Spec.Engine;

public sealed class EpollEngineTests(EngineFixture fixture) : EngineTests(fixture, Carrier.Epoll);
