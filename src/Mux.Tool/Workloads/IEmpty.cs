namespace Mux.Tool.Workloads;

/// <summary>The empty workload: what a call costs without a message.</summary>
[MuxService("mux.bench.Empty")]
internal interface IEmpty
{
    ValueTask CallAsync(CancellationToken cancellationToken = default);
}
