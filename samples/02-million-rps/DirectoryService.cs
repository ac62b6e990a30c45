namespace MillionRps;

/// <summary>The server's work: a constant employee with the request's time.</summary>
public sealed class DirectoryService : IDirectory
{
    public ValueTask<Employee> Search(SearchEmployee query) => new(new Employee
    {
        EmployeeId = 1,
        LastName = "Davolio",
        FirstName = "Nancy",
        Title = "ja",
        City = "Seattle",
        Region = "WA",
        Country = "USA",
        RequestTime = query.RequestTime,
    });
}
