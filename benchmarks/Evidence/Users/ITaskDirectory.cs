using Seeds.Contracts;

namespace Evidence.Users;

/// <summary>The methods of <see cref="IDirectory"/> as most contracts are written: they return tasks.</summary>
[MuxService("seeds.Directory")]
internal interface ITaskDirectory
{
    Task<Employee> SearchAsync(SearchEmployee query);
}
