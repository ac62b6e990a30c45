using System.Runtime.CompilerServices;

namespace Mux.ProtocolCases.Serving;

/// <summary>Reads no item and sends none: input for streams concerns only the connection.</summary>
internal sealed class SpecService : ISpec
{
    public ValueTask<byte[]> EchoAsync(byte[] message, CancellationToken cancellationToken = default) => new(message);

    public async ValueTask<byte[]> WaitAsync(byte[] message, CancellationToken cancellationToken = default)
    {
        await CancelledAsync(cancellationToken).ConfigureAwait(false);
        return [];
    }

    public ValueTask<byte[]> UpAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default) => WaitAsync([], cancellationToken);

    public async IAsyncEnumerable<byte[]> DownAsync(byte[] message, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await CancelledAsync(cancellationToken).ConfigureAwait(false);
        yield break;
    }

    public IAsyncEnumerable<byte[]> BothAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default) =>
        DownAsync([], cancellationToken);

    private static Task CancelledAsync(CancellationToken cancellationToken) => Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);
}
