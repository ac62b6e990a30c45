using Mux.Tool.Workloads;

namespace SideBySide.Contracts;

/// <summary>The work of all servers but grpc-dotnet's, and the check of their replies: the employee of <c>mux bench</c>.</summary>
internal static class Answers
{
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

    /// <summary>True if every field of the reply is that of the answer to this request.</summary>
    public static bool IsAnswerTo(double requestTime, Employee reply) =>
        reply is { EmployeeId: 1, LastName: "Davolio", FirstName: "Nancy", Title: "ja", City: "Seattle", Region: "WA", Country: "USA" }
            && reply.RequestTime == requestTime;

    /// <summary>Items that are there as soon as they are asked for.</summary>
    public static IAsyncEnumerable<Employee> Stream(long first, int count)
    {
        int made = 0;
        return new ItemSequence<Employee>(() => made == count ? null : AnswerTo(first + made++));
    }
}
