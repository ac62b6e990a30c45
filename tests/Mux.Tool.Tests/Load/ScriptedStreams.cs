using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Load;

/// <summary>A server of streams that does what the test says, whatever it is asked for.</summary>
internal sealed class ScriptedStreams : IStreams
{
    /// <summary>The numbers of the items it gives.</summary>
    public long[] Items { get; init; } = [];

    public ItemTally Tally { get; init; } = new();

    /// <summary>Thrown in place of the first item.</summary>
    public MuxException? Failure { get; init; }

    /// <summary>Called behind the last item.</summary>
    public required Action Ended { get; init; }

    public IAsyncEnumerable<Employee> ReadAsync(long first, long step, long items, CancellationToken cancellationToken = default) => GiveAsync();

    public async ValueTask<ItemTally> CountAsync(long first, long step, IAsyncEnumerable<Employee> items, CancellationToken cancellationToken = default)
    {
        await foreach (var _ in items)
        {
            // What it counts is the test's.
        }

        Ended();
        return Tally;
    }

    public async IAsyncEnumerable<Employee> SearchAsync(IAsyncEnumerable<SearchEmployee> queries, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var _ in queries)
        {
            // All are there before the first answer.
        }

        await foreach (var item in GiveAsync()) yield return item;
    }

    public IAsyncEnumerable<byte[]> EchoAsync(IAsyncEnumerable<byte[]> payloads, CancellationToken cancellationToken = default) => payloads;

    private async IAsyncEnumerable<Employee> GiveAsync()
    {
        await Task.Yield();
        if (Failure is not null)
        {
            Ended();
            throw Failure;
        }

        foreach (long number in Items) yield return DirectoryService.AnswerTo(number);
        Ended();
    }
}
