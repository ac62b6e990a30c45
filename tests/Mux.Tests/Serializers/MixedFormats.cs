namespace Mux.Tests.Serializers;

internal sealed class MixedFormats : IMixedFormats
{
    public ValueTask<JsonSpecimen> Json(JsonSpecimen message) => new(message);

    public ValueTask<ReadOnlyMemory<byte>> Raw(ReadOnlyMemory<byte> message) => new(message);

    public ValueTask<string> Codec(string first, string second) => new(first + second);

    public ValueTask Tell(string message) => default;

    public ValueTask<JsonSpecimen> WithoutArguments() => new(new JsonSpecimen { Number = 1 });

    public ValueTask<Stream> Bytes(Stream bytes) => new(bytes);

    public ValueTask<MuxResult<JsonSpecimen>> Perhaps(JsonSpecimen message) => new(message.Flag ? new MuxResult<JsonSpecimen>(message) : new MuxFailure(MuxStatus.NotFound, "Nothing."));
}
