using Mux.TestSupport.Serializers;

namespace Mux.Serialization.GoogleProtobuf.Tests;

[MuxService(SerializerSuite.Service, Serializer = typeof(GoogleProtobufSerializer)), MuxError<ProtoSpecimen>(1)]
public interface IProtoEcho
{
    ValueTask<ProtoSpecimen> Echo(ProtoSpecimen message);

    IAsyncEnumerable<ProtoSpecimen> EchoAll(IAsyncEnumerable<ProtoSpecimen> messages, CancellationToken cancellationToken = default);

    ValueTask Refuse(ProtoSpecimen message);
}
