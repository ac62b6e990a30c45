namespace Mux.Tool.Workloads;

/// <summary>The workloads of streams. Every item carries a number that is unique in the run.</summary>
[MuxService("mux.bench.Streams")]
internal interface IStreams
{
    /// <summary>Streams employees with the numbers <paramref name="first"/>, <paramref name="first"/> + <paramref name="step"/> and so on.</summary>
    /// <param name="first">1 or more: a zero would not be written, which would make the item shorter.</param>
    /// <param name="step">Difference between two numbers.</param>
    /// <param name="items">Number of items; 0 for an endless stream.</param>
    /// <param name="cancellationToken">Ends the stream.</param>
    IAsyncEnumerable<Employee> ReadAsync(long first, long step, long items, CancellationToken cancellationToken = default);

    /// <summary>Counts employees, and those that differ from what <see cref="ReadAsync"/> would have sent.</summary>
    ValueTask<ItemTally> CountAsync(long first, long step, IAsyncEnumerable<Employee> items, CancellationToken cancellationToken = default);

    /// <summary>Streams the employee for each query, as it arrives.</summary>
    IAsyncEnumerable<Employee> SearchAsync(IAsyncEnumerable<SearchEmployee> queries, CancellationToken cancellationToken = default);

    /// <summary>Streams each payload back, as it arrives.</summary>
    IAsyncEnumerable<byte[]> EchoAsync(IAsyncEnumerable<byte[]> payloads, CancellationToken cancellationToken = default);
}
