using Mux;

namespace Hr;

public interface IStore<TItem, TKey>                       // no contract by itself
{
    ValueTask<TItem> GetAsync(TKey key, CancellationToken cancellationToken = default);
}

[MuxService("hr.Reader")]
public interface IReader : IStore<Employee, int>           // hr.Reader/Get
{
    ValueTask<int> CountAsync(CancellationToken cancellationToken = default);

    async ValueTask<bool> IsEmptyAsync() => await CountAsync() == 0;
}

[MuxService("hr.Admin")]
public interface IAdmin : IReader                          // hr.Admin/Get, hr.Admin/Count, hr.Admin/Delete
{
    ValueTask DeleteAsync(int id, CancellationToken cancellationToken = default);

    [MuxMethod]
    ValueTask<string> DescribeAsync() => new("no description");
}
