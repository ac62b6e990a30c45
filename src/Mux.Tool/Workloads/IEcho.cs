namespace Mux.Tool.Workloads;

/// <summary>The echo workload.</summary>
[MuxService("mux.bench.Echo")]
internal interface IEcho
{
    /// <returns>The payload.</returns>
    ValueTask<byte[]> EchoAsync(byte[] payload);
}
