using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

internal sealed class StreamsImplementation : IStreams
{
    public List<string> Kept { get; } = [];

    public CancellationToken LastToken { get; private set; }

    public async IAsyncEnumerable<Leaf> ReadAsync(string name, int count, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        LastToken = cancellationToken;
        for (int i = 0; i < count; i++)
        {
            await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
            yield return new Leaf(name, i);
        }
    }

    public IAsyncEnumerable<List<int>> Lists() => new List<List<int>> { new() { 1, 2 }, new(), new() { 3 } }.ToAsyncEnumerable();

    public IAsyncEnumerable<string?> Echo(IAsyncEnumerable<string?> texts) => texts;

    public ChannelReader<int> Channel(int count)
    {
        var channel = System.Threading.Channels.Channel.CreateUnbounded<int>();
        for (int i = 0; i < count; i++) Assert.True(channel.Writer.TryWrite(i));
        channel.Writer.Complete();
        return channel.Reader;
    }

    public async ValueTask<ChannelReader<int>> ChannelLater(int count, CancellationToken cancellationToken = default)
    {
        LastToken = cancellationToken;
        await Task.Yield();
        return Channel(count);
    }

    public async Task<ChannelReader<int>> ChannelTask(int count) => await ChannelLater(count);

    public Stream Bytes(int count) => new MemoryStream([.. Enumerable.Range(0, count).Select(static i => (byte)i)]);

    public async ValueTask<Stream> BytesLater(int count)
    {
        await Task.Yield();
        return Bytes(count);
    }

    public async Task<Stream> BytesTask(int count) => await BytesLater(count);

    public PipeReader Pipe(int count) => PipeReader.Create(Bytes(count));

    public async ValueTask<PipeReader> PipeLater(int count)
    {
        await Task.Yield();
        return Pipe(count);
    }

    public async Task<PipeReader> PipeTask(int count) => await PipeLater(count);

    public async ValueTask<int> SumAsync(int factor, IAsyncEnumerable<int> numbers, CancellationToken cancellationToken = default)
    {
        LastToken = cancellationToken;
        return factor * await numbers.SumAsync(cancellationToken);
    }

    public async Task<int> SumChannel(ChannelReader<int> numbers, int factor, int offset) => offset + (factor * await numbers.ReadAllAsync().SumAsync());

    public async ValueTask<int> SumBytes(Stream content)
    {
        using var memory = new MemoryStream();
        await content.CopyToAsync(memory);
        return memory.ToArray().Sum(static value => value);
    }

    public async Task<int> SumPipe(PipeReader content) => await SumBytes(content.AsStream());

    public async ValueTask Keep(string prefix, IAsyncEnumerable<Leaf> leaves, string suffix)
    {
        await foreach (var leaf in leaves) Kept.Add(prefix + leaf.Name + suffix);
    }

    public async Task KeepTask(IAsyncEnumerable<Leaf> @params) => await Keep(string.Empty, @params, string.Empty);

    public ChannelReader<int> Twice(ChannelReader<int> numbers, int factor)
    {
        return Mux.Contracts.ItemStreams.ToChannel(numbers.ReadAllAsync().Select(number => number * factor));
    }

    public Stream Mirror(Stream content) => content;

    public ValueTask<PipeReader> MirrorPipe(PipeReader content) => new(content);
}
