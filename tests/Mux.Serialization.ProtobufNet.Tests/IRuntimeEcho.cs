using Mux.TestSupport.Serializers;

namespace Mux.Serialization.ProtobufNet.Tests;

[MuxService(SerializerSuite.Service, Serializer = typeof(ProtobufNetSerializer)), MuxError<NetSpecimen>(1)]
public interface IRuntimeEcho
{
    ValueTask<NetSpecimen> Echo(NetSpecimen message);

    IAsyncEnumerable<NetSpecimen> EchoAll(IAsyncEnumerable<NetSpecimen> messages, CancellationToken cancellationToken = default);

    ValueTask Refuse(NetSpecimen message);
}
