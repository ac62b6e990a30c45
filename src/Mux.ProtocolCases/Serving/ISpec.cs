using Mux.Serialization.Raw;

namespace Mux.ProtocolCases.Serving;

/// <summary>Contract for the cases: <see cref="Cases.SpecMethods"/>. Messages are arbitrary bytes.</summary>
[MuxService("mux.spec", Serializer = typeof(RawSerializer))]
internal interface ISpec
{
    ValueTask<byte[]> EchoAsync(byte[] message, CancellationToken cancellationToken = default);

    ValueTask<byte[]> WaitAsync(byte[] message, CancellationToken cancellationToken = default);

    ValueTask<byte[]> UpAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);

    IAsyncEnumerable<byte[]> DownAsync(byte[] message, CancellationToken cancellationToken = default);

    IAsyncEnumerable<byte[]> BothAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken = default);
}
