using Mux.Serialization.Raw;

namespace Mux.TestSupport.Serializers;

/// <summary>The contract of every suite as a peer sees it that sends whatever bytes it likes.</summary>
[MuxService(SerializerSuite.Service, Serializer = typeof(RawSerializer))]
public interface IRawEcho
{
    ValueTask<byte[]> Echo(byte[] message);

    IAsyncEnumerable<byte[]> EchoAll(IAsyncEnumerable<byte[]> messages, CancellationToken cancellationToken = default);

    [MuxError<byte[]>(1)]
    ValueTask Refuse(byte[] message);
}
