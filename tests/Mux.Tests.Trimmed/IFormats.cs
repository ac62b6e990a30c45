using Google.Protobuf.WellKnownTypes;
using Mux.Serialization.GoogleProtobuf;
using Mux.Serialization.Json;
using Mux.Serialization.Raw;

namespace Mux.Tests.Trimmed;

/// <summary>A method for each serializer that works without reflection.</summary>
[MuxService("test.Formats", Serializer = typeof(JsonSerializer<TrimmedJson>))]
public interface IFormats
{
    ValueTask<Leg> Json(Leg leg);

    [MuxMethod(Serializer = typeof(GoogleProtobufSerializer))]
    ValueTask<Duration> Proto(Duration duration);

    [MuxMethod(Serializer = typeof(RawSerializer))]
    ValueTask<PooledBytes> Raw(PooledBytes bytes);
}
