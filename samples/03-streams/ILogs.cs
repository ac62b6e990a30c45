using Mux;

namespace Streams;

[MuxService("log.Store")]
public interface ILogs
{
    ValueTask<int> Append(IAsyncEnumerable<LogEntry> entries, CancellationToken cancellationToken = default);
    IAsyncEnumerable<LogEntry> Follow(int from, CancellationToken cancellationToken = default);
    IAsyncEnumerable<int> Count(IAsyncEnumerable<string> words, CancellationToken cancellationToken = default);
    ValueTask<Stream> Export(CancellationToken cancellationToken = default);
}
