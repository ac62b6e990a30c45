using System.IO.Pipelines;
using System.Threading.Channels;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>A stream of every form in every direction.</summary>
[MuxService("test.Streams")]
internal interface IStreams
{
    IAsyncEnumerable<Leaf> ReadAsync(string name, int count, CancellationToken cancellationToken = default);

    IAsyncEnumerable<List<int>> Lists();

    IAsyncEnumerable<string?> Echo(IAsyncEnumerable<string?> texts);

    ChannelReader<int> Channel(int count);

    ValueTask<ChannelReader<int>> ChannelLater(int count, CancellationToken cancellationToken = default);

    Task<ChannelReader<int>> ChannelTask(int count);

    Stream Bytes(int count);

    ValueTask<Stream> BytesLater(int count);

    Task<Stream> BytesTask(int count);

    PipeReader Pipe(int count);

    ValueTask<PipeReader> PipeLater(int count);

    Task<PipeReader> PipeTask(int count);

    ValueTask<int> SumAsync(int factor, IAsyncEnumerable<int> numbers, CancellationToken cancellationToken = default);

    Task<int> SumChannel(ChannelReader<int> numbers, int factor, int offset);

    ValueTask<int> SumBytes(Stream content);

    Task<int> SumPipe(PipeReader content);

    ValueTask Keep(string prefix, IAsyncEnumerable<Leaf> leaves, string suffix);

    Task KeepTask(IAsyncEnumerable<Leaf> @params);

    ChannelReader<int> Twice(ChannelReader<int> numbers, int factor);

    Stream Mirror(Stream content);

    ValueTask<PipeReader> MirrorPipe(PipeReader content);
}
