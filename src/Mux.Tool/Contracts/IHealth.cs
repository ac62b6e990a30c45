namespace Mux.Tool.Contracts;

/// <summary>The contract with which servers say whether they serve, as gRPC declares it.</summary>
[MuxService("grpc.health.v1.Health")]
internal interface IHealth
{
    ValueTask<HealthReply> Check(HealthRequest request, CancellationToken cancellationToken = default);
}
