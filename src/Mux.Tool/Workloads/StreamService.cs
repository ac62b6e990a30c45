using System.Runtime.CompilerServices;

namespace Mux.Tool.Workloads;

/// <summary>Service of the streams.</summary>
internal sealed class StreamService : IStreams
{
    public IAsyncEnumerable<Employee> ReadAsync(long first, long step, long items, CancellationToken cancellationToken = default)
    {
        long made = 0;
        return new ItemSequence<Employee>(() =>
        {
            cancellationToken.ThrowIfCancellationRequested();
            return items > 0 && made == items ? null : DirectoryService.AnswerTo(first + (step * made++));
        });
    }

    public async ValueTask<ItemTally> CountAsync(long first, long step, IAsyncEnumerable<Employee> items, CancellationToken cancellationToken = default)
    {
        var tally = new ItemTally();
        await foreach (var item in items.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            if (!DirectoryService.IsAnswerTo(first + (step * tally.Items), item)) tally.Wrong++;
            tally.Items++;
        }

        return tally;
    }

    public async IAsyncEnumerable<Employee> SearchAsync(
        IAsyncEnumerable<SearchEmployee> queries, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var query in queries.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            yield return DirectoryService.AnswerTo(query.RequestTime);
        }
    }

    // Echoes the payload itself: the runtime has written it before it requests the next.
    public IAsyncEnumerable<byte[]> EchoAsync(IAsyncEnumerable<byte[]> payloads, CancellationToken cancellationToken = default) => payloads;
}
