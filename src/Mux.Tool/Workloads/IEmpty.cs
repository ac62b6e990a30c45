namespace Mux.Tool.Workloads;

/// <summary>The empty workload: the cost of a call without a message.</summary>
[MuxService("mux.bench.Empty")]
internal interface IEmpty
{
    ValueTask CallAsync(CancellationToken cancellationToken = default);
}
