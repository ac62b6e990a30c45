namespace Mux.Tests.Health;

/// <summary>The contract of gRPC's health checks, as its .proto says it.</summary>
[MuxService("grpc.health.v1.Health")]
public interface IHealth
{
    ValueTask<HealthCheckResponse> Check(HealthCheckRequest request);

    IAsyncEnumerable<HealthCheckResponse> Watch(HealthCheckRequest request, CancellationToken cancellationToken = default);
}
