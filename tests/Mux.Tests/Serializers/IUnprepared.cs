using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

/// <summary>A contract with a type that its context does not know.</summary>
[MuxService("test.Unprepared", Serializer = typeof(JsonSerializer<JsonEchoContext>))]
public interface IUnprepared
{
    ValueTask<JsonSpecimen> Known(JsonSpecimen message);

    ValueTask<Uri> Unknown(JsonSpecimen message);
}
