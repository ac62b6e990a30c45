using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

internal sealed class OutcomesImplementation : IOutcomes
{
    public MuxCallOptions? LastOptions { get; private set; }

    public ValueTask<string?> Tenant(string prefix, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        LastOptions = options;
        return new(options?.Peer is { } tenant ? prefix + tenant : null);
    }

    public Task Touch(MuxCallOptions options)
    {
        LastOptions = options;
        return Task.CompletedTask;
    }

    public ValueTask Ignore(int number) => default;

    public IAsyncEnumerable<string?> Tenants(int count, MuxCallOptions? options = null) => Enumerable.Repeat(options?.Peer, count).ToAsyncEnumerable();

    public async ValueTask<string?> Upload(IAsyncEnumerable<int> numbers, MuxCallOptions? options = null) => options?.Peer + await numbers.SumAsync();

    public async ValueTask<MuxResult<Leaf>> FindAsync(string kind)
    {
        await Task.Yield();
        return kind switch
        {
            "leaf" => new Leaf("oak", 1),
            "thrown" => throw new MuxException(MuxStatus.NotFound, "thrown") { Detail = new Leaf("thrown", 2) },
            "point" => new MuxFailure(MuxStatus.NotFound, "point", new Point(3, 4)),
            "stranger" => new MuxFailure(MuxStatus.NotFound, "stranger", "no message of the contract"),
            _ => new MuxFailure(MuxStatus.NotFound, "no detail"),
        };
    }

    public Task<MuxResult<MuxUnit>> Try(bool succeeds) => Task.FromResult<MuxResult<MuxUnit>>(succeeds ? default(MuxUnit) : new MuxFailure(MuxStatus.Unavailable, "not now"));

    public ValueTask<MuxResult<List<int>>> Numbers() => new(new List<int>());

    public ValueTask Fail(string kind)
    {
        throw new MuxException(MuxStatus.FailedPrecondition, kind) { Detail = kind == "leaf" ? new Leaf("oak", 5) : new Point(0, 0) };
    }

    public async IAsyncEnumerable<int> FailAfter(int count)
    {
        for (int i = 0; i < count; i++) yield return i;
        await Fail("leaf");
    }

    public ValueTask FailUpload(IAsyncEnumerable<int> numbers) => Fail("leaf");

    public ValueTask Own() => default;
}
