using Mux.Serialization.Json;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

[MuxService(SerializerSuite.Service, Serializer = typeof(JsonSerializer<JsonEchoContext>)), MuxError<JsonSpecimen>(1)]
public interface IJsonEcho
{
    ValueTask<JsonSpecimen> Echo(JsonSpecimen message);

    IAsyncEnumerable<JsonSpecimen> EchoAll(IAsyncEnumerable<JsonSpecimen> messages, CancellationToken cancellationToken = default);

    ValueTask Refuse(JsonSpecimen message);
}
