using Mux.Contracts;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Options, results, details and choices of every form.</summary>
[MuxService(
    "test.Outcomes", Dispatch = MuxDispatch.Pool, DeadlineMilliseconds = 2000, Priority = CallPriority.High, Idempotent = true, MaxMessageBytes = 4096)]
[MuxError<Leaf>(7)]
internal interface IOutcomes
{
    ValueTask<string?> Tenant(string prefix, CallOptions? options = null, CancellationToken cancellationToken = default);

    Task Touch(CallOptions options);

    ValueTask Ignore(int number);

    IAsyncEnumerable<string?> Tenants(int count, CallOptions? options = null);

    ValueTask<string?> Upload(IAsyncEnumerable<int> numbers, CallOptions? options = null);

    [MuxError<Point>(65535)]
    ValueTask<Result<Leaf>> FindAsync(string kind);

    Task<Result<Unit>> Try(bool succeeds);

    ValueTask<Result<List<int>>> Numbers();

    [MuxError<Point>(1)]
    ValueTask Fail(string kind);

    IAsyncEnumerable<int> FailAfter(int count);

    ValueTask FailUpload(IAsyncEnumerable<int> numbers);

    [MuxMethod(Dispatch = MuxDispatch.Adaptive, DeadlineMilliseconds = 1, Priority = CallPriority.Normal, Idempotent = false, MaxMessageBytes = 1)]
    ValueTask Own();
}
