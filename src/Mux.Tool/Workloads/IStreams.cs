namespace Mux.Tool.Workloads;

/// <summary>The workloads of streams. Every item carries a number that is unique in the run.</summary>
[MuxService("mux.bench.Streams")]
internal interface IStreams
{
    /// <summary>Employees with the numbers <paramref name="first"/>, <paramref name="first"/> + <paramref name="step"/> and so on.</summary>
    /// <param name="first">1 or more: a zero would not be written, and make the item shorter.</param>
    /// <param name="step">From one number to the next.</param>
    /// <param name="items">How many; 0 for a stream that does not end.</param>
    /// <param name="cancellationToken">Ends it.</param>
    IAsyncEnumerable<Employee> ReadAsync(long first, long step, long items, CancellationToken cancellationToken = default);

    /// <summary>Counts employees, and those among them that are not what <see cref="ReadAsync"/> would have given.</summary>
    ValueTask<ItemTally> CountAsync(long first, long step, IAsyncEnumerable<Employee> items, CancellationToken cancellationToken = default);

    /// <summary>The employee for each query, as it comes.</summary>
    IAsyncEnumerable<Employee> SearchAsync(IAsyncEnumerable<SearchEmployee> queries, CancellationToken cancellationToken = default);

    /// <summary>Each payload, as it comes.</summary>
    IAsyncEnumerable<byte[]> EchoAsync(IAsyncEnumerable<byte[]> payloads, CancellationToken cancellationToken = default);
}
