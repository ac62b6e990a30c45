using Mux.TestSupport.Serializers;

namespace Mux.Serialization.ProtobufNet.Tests;

[MuxService(SerializerSuite.Service, Serializer = typeof(ProtobufNetModelSerializer<NetModel>)), MuxError<NetSpecimen>(1)]
public interface IModelEcho
{
    ValueTask<NetSpecimen> Echo(NetSpecimen message);

    IAsyncEnumerable<NetSpecimen> EchoAll(IAsyncEnumerable<NetSpecimen> messages, CancellationToken cancellationToken = default);

    ValueTask Refuse(NetSpecimen message);
}
