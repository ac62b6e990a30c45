namespace Mux.Tool.Workloads;

/// <summary>The work of BeetleX's server: build the one employee there is.</summary>
internal sealed class DirectoryService : IDirectory
{
    public ValueTask<Employee> SearchAsync(SearchEmployee query) => new(AnswerTo(query.RequestTime));

    /// <summary>Whether a reply is, field by field, what a request with this time gets.</summary>
    public static bool IsAnswerTo(double requestTime, Employee reply) =>
        reply is { EmployeeId: 1, LastName: "Davolio", FirstName: "Nancy", Title: "ja", City: "Seattle", Region: "WA", Country: "USA" } && reply.RequestTime == requestTime;

    private static Employee AnswerTo(double requestTime) => new()
    {
        EmployeeId = 1,
        LastName = "Davolio",
        FirstName = "Nancy",
        Title = "ja",
        City = "Seattle",
        Region = "WA",
        Country = "USA",
        RequestTime = requestTime,
    };
}
