using Grpc.Core;
using SideBySide.Stacks.GrpcNet.Messages;

namespace SideBySide.Stacks.GrpcNet;

/// <summary>The service in the messages of Directory.proto.</summary>
/// <param name="hasBatches">Whether items of a stream may wait for others before they are sent.</param>
internal sealed class DirectoryService(bool hasBatches) : Messages.Directory.DirectoryBase
{
    private const int BatchSize = 100;

    private static readonly WriteOptions s_buffered = new(WriteFlags.BufferHint);

    public override Task<Employee> Search(SearchEmployee request, ServerCallContext context) => Task.FromResult(AnswerTo(request.RequestTime));

    public override Task<Payload> Echo(Payload request, ServerCallContext context) => Task.FromResult(request);

    public override async Task Read(ReadEmployees request, IServerStreamWriter<Employee> responseStream, ServerCallContext context)
    {
        for (int i = 1; i <= request.Count; i++)
        {
            if (hasBatches) responseStream.WriteOptions = i % BatchSize == 0 ? WriteOptions.Default : s_buffered;
            await responseStream.WriteAsync(AnswerTo(request.First + i - 1));
        }
    }

    /// <summary>True if every field of the reply is that of the answer to this request.</summary>
    public static bool IsAnswerTo(double requestTime, Employee reply) =>
        reply is { EmployeeId: 1, LastName: "Davolio", FirstName: "Nancy", Title: "ja", City: "Seattle", Region: "WA", Country: "USA" }
            && reply.RequestTime == requestTime;

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
