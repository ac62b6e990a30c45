using Seeds.Contracts;

namespace Seeds.Serving;

/// <summary>Makes the reply that the seed's server makes.</summary>
internal sealed class DirectoryService : IDirectory
{
    public ValueTask<Employee> SearchAsync(SearchEmployee query) => new(new Employee
    {
        Id = 1,
        LastName = "Davolio",
        FirstName = "Nancy",
        Title = "ja",
        City = "Seattle",
        Region = "WA",
        Country = "USA",
        RequestTime = query.RequestTime,
    });
}
