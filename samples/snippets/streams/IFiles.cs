using System.Runtime.Serialization;
using Mux;

namespace Files;

[MuxService("log.Store")]
public interface IStore
{
    IAsyncEnumerable<Entry> ReadAsync(int from, CancellationToken cancellationToken = default);
    ValueTask<int> WriteAsync(string name, IAsyncEnumerable<Entry> entries, CancellationToken cancellationToken = default);
    IAsyncEnumerable<Match> MatchAsync(IAsyncEnumerable<Query> queries, CancellationToken cancellationToken = default);
    ValueTask<Stream> DownloadAsync(string name, CancellationToken cancellationToken = default);
    ValueTask UploadAsync(string name, Stream content, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed record Entry([property: DataMember(Order = 1)] string Text);

[DataContract]
public sealed record Query([property: DataMember(Order = 1)] string Text);

[DataContract]
public sealed record Match([property: DataMember(Order = 1)] int Number);
