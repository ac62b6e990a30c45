namespace Mux.Tool.Workloads;

/// <summary>The work of BeetleX's server: build the one employee there is.</summary>
/// <param name="work">What its handlers do beside it; null for nothing.</param>
internal sealed class DirectoryService(HandlerWork? work = null) : IDirectory
{
    public ValueTask<Employee> SearchAsync(SearchEmployee query, CancellationToken cancellationToken = default) =>
        work is null ? new(AnswerTo(query.RequestTime)) : AnswerAfterAsync(work, query.RequestTime);

    /// <summary>Whether a reply is, field by field, what a request with this time gets.</summary>
    public static bool IsAnswerTo(double requestTime, Employee reply) =>
        reply is { EmployeeId: 1, LastName: "Davolio", FirstName: "Nancy", Title: "ja", City: "Seattle", Region: "WA", Country: "USA" }
            && reply.RequestTime == requestTime;

    private static async ValueTask<Employee> AnswerAfterAsync(HandlerWork work, double requestTime)
    {
        await work.DoAsync((long)requestTime).ConfigureAwait(false);
        return AnswerTo(requestTime);
    }

    /// <summary>What a request with this time gets.</summary>
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
