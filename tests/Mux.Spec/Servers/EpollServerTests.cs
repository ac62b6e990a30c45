namespace Mux.Spec.Servers;

public sealed class EpollServerTests(ServerFixture fixture) : ServerTests(fixture, ServerKind.Epoll);
