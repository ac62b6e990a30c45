namespace Mux.Generators.Tests.Contracts;

[MuxService("hr.Directory")]
public interface IDirectory
{
    ValueTask<Employee> SearchAsync(SearchEmployee query, CancellationToken cancellationToken = default);
}
