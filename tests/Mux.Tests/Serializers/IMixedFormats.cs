using Mux.Serialization;
using Mux.Serialization.Json;
using Mux.Serialization.Raw;

namespace Mux.Tests.Serializers;

/// <summary>A service of JSON with methods that are otherwise.</summary>
[MuxService("test.MixedFormats", Serializer = typeof(JsonSerializer<JsonEchoContext>))]
public interface IMixedFormats
{
    ValueTask<JsonSpecimen> Json(JsonSpecimen message);

    [MuxMethod(Serializer = typeof(RawSerializer))]
    ValueTask<ReadOnlyMemory<byte>> Raw(ReadOnlyMemory<byte> message);

    [MuxMethod(Serializer = typeof(GeneratedCodec))]
    ValueTask<string> Codec(string first, string second);

    [MuxMethod(Serializer = typeof(Indiscreet))]
    ValueTask Tell(string message);

    ValueTask<JsonSpecimen> WithoutArguments();

    ValueTask<Stream> Bytes(Stream bytes);

    ValueTask<MuxResult<JsonSpecimen>> Perhaps(JsonSpecimen message);
}
