namespace Mux.Tool.Workloads;

/// <summary>The large replies of the mixed workload.</summary>
[MuxService("mux.bench.Bulk")]
internal interface IBulk
{
    /// <returns>As many bytes as requested, and the number.</returns>
    ValueTask<BulkReply> GetAsync(int size, long number, CancellationToken cancellationToken = default);
}
