using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <inheritdoc/>
internal sealed class BulkExchangeToken(IStreams streams, TokenPlace place, BenchConfiguration configuration, LoadState state)
    : ExchangeToken<byte[], byte[]>(place, configuration, state)
{
    private readonly byte[] _sent = BulkContent.Make(configuration.Size!.Value); // reused: an item is encoded before the next one is requested
    private readonly byte[] _expected = BulkContent.Make(configuration.Size!.Value); // a separate array, because sending and receiving run at their own pace

    protected override IAsyncEnumerable<byte[]> Exchange(IAsyncEnumerable<byte[]> items) => streams.EchoAsync(items);

    protected override byte[] Make(long number)
    {
        EchoNumber.Write(_sent, number);
        return _sent;
    }

    protected override bool IsAnswer(long number, byte[] item)
    {
        EchoNumber.Write(_expected, number);
        return BulkContent.IsSame(_expected, item);
    }
}
