namespace Mux.Benchmarks;

/// <summary>The seed's messages: a request of 11 bytes and a reply of 49.</summary>
[MuxService("hr.Directory")]
public interface IDirectory
{
    ValueTask<Employee> Search(SearchEmployee query, CancellationToken cancellationToken = default);
}
