namespace Mux.Tool.Workloads;

/// <summary>The employee workload.</summary>
[MuxService("mux.bench.Directory")]
internal interface IDirectory
{
    ValueTask<Employee> SearchAsync(SearchEmployee query, CancellationToken cancellationToken = default);
}
