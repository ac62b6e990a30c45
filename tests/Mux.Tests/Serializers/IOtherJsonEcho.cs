using Mux.Serialization.Json;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>The same format, and another message in it.</summary>
[MuxService(SerializerSuite.Service, Serializer = typeof(JsonSerializer<LayeredContext>))]
public interface IOtherJsonEcho
{
    ValueTask<Layered> Echo(Layered message);
}
