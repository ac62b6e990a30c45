using Mux.Serialization.Raw;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

[MuxService(SerializerSuite.Service, Serializer = typeof(RawSerializer)), MuxError<PooledBytes>(1)]
public interface IPooledEcho
{
    ValueTask<PooledBytes> Echo(PooledBytes message);

    IAsyncEnumerable<PooledBytes> EchoAll(IAsyncEnumerable<PooledBytes> messages, CancellationToken cancellationToken = default);

    ValueTask Refuse(PooledBytes message);
}
