namespace Seeds.Contracts;

/// <summary>The call of seed 004.</summary>
[MuxService("seeds.Directory")]
internal interface IDirectory
{
    ValueTask<Employee> SearchAsync(SearchEmployee query);
}
