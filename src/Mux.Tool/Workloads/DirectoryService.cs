namespace Mux.Tool.Workloads;

/// <summary>The work of BeetleX's server: build the only employee.</summary>
/// <param name="work">Additional work of its handlers; null for none.</param>
internal sealed class DirectoryService(HandlerWork? work = null) : IDirectory
{
    public ValueTask<Employee> SearchAsync(SearchEmployee query, CancellationToken cancellationToken = default) =>
        work is null ? new(AnswerTo(query.RequestTime)) : AnswerAfterAsync(work, query.RequestTime);

    /// <summary>True if a reply matches, field by field, the answer to a request with this time.</summary>
    public static bool IsAnswerTo(double requestTime, Employee reply) =>
        reply is { EmployeeId: 1, LastName: "Davolio", FirstName: "Nancy", Title: "ja", City: "Seattle", Region: "WA", Country: "USA" }
            && reply.RequestTime == requestTime;

    private static async ValueTask<Employee> AnswerAfterAsync(HandlerWork work, double requestTime)
    {
        await work.DoAsync((long)requestTime).ConfigureAwait(false);
        return AnswerTo(requestTime);
    }

    /// <summary>Creates the answer to a request with this time.</summary>
    public static Employee AnswerTo(double requestTime) => new()
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
