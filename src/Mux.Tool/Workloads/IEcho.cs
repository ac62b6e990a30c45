namespace Mux.Tool.Workloads;

/// <summary>The echo workload, and the bulk one.</summary>
[MuxService("mux.bench.Echo")]
internal interface IEcho
{
    /// <returns>The payload.</returns>
    ValueTask<byte[]> EchoAsync(byte[] payload, CancellationToken cancellationToken = default);
}
