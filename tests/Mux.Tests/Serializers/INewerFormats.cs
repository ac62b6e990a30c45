using Mux.Serialization.Json;

namespace Mux.Tests.Serializers;

/// <summary>The same service as a newer peer declares it: what had no argument has one.</summary>
[MuxService("test.MixedFormats", Serializer = typeof(JsonSerializer<JsonEchoContext>))]
public interface INewerFormats
{
    ValueTask<JsonSpecimen> WithoutArguments(JsonSpecimen filter);
}
