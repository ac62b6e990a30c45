using Mux.Serialization.Raw;

namespace Mux.ProtocolCases.Calling;

/// <summary>The contract <c>mux.spec</c> as <c>mux spec --listen</c> serves it. Messages are arbitrary bytes.</summary>
[MuxService("mux.spec", Serializer = typeof(RawSerializer))]
internal interface IClientSpec
{
    ValueTask<byte[]> TaskAsync(byte[] result, CancellationToken cancellationToken = default);

    ValueTask<byte[]> WaitAsync(byte[] message, MuxCallOptions? options = null, CancellationToken cancellationToken = default);

    ValueTask<byte[]> EchoAsync(byte[] message, CancellationToken cancellationToken = default);

    ValueTask<byte[]> UpAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);

    IAsyncEnumerable<byte[]> DownAsync(byte[] message, CancellationToken cancellationToken = default);

    IAsyncEnumerable<byte[]> BothAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);
}
