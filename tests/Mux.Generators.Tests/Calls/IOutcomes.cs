using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>Options, results, details and choices of every form.</summary>
[MuxService(
    "test.Outcomes", Dispatch = MuxDispatchMode.Pool, TimeoutMilliseconds = 2000, Priority = MuxCallPriority.High, Idempotent = true, MaxMessageBytes = 4096)]
[MuxError<Leaf>(7)]
internal interface IOutcomes
{
    ValueTask<string?> Tenant(string prefix, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    Task Touch(MuxCallOptions options);

    ValueTask Ignore(int number);

    IAsyncEnumerable<string?> Tenants(int count, MuxCallOptions? options = null);

    ValueTask<string?> Upload(IAsyncEnumerable<int> numbers, MuxCallOptions? options = null);

    [MuxError<Point>(65535)]
    ValueTask<MuxResult<Leaf>> FindAsync(string kind);

    Task<MuxResult<MuxUnit>> Try(bool succeeds);

    ValueTask<MuxResult<List<int>>> Numbers();

    [MuxError<Point>(1)]
    ValueTask Fail(string kind);

    IAsyncEnumerable<int> FailAfter(int count);

    ValueTask FailUpload(IAsyncEnumerable<int> numbers);

    [MuxMethod(Dispatch = MuxDispatchMode.Adaptive, TimeoutMilliseconds = 1, Priority = MuxCallPriority.Normal, Idempotent = false, MaxMessageBytes = 1)]
    ValueTask Own();
}
