namespace Mux.Tests.Health;

/// <summary>A service of the user that says nothing is known.</summary>
internal sealed class OwnHealth : IHealth
{
    public ValueTask<HealthCheckResponse> Check(HealthCheckRequest request) => new(new HealthCheckResponse());

    public IAsyncEnumerable<HealthCheckResponse> Watch(HealthCheckRequest request, CancellationToken cancellationToken) => AsyncEnumerable.Empty<HealthCheckResponse>();
}
