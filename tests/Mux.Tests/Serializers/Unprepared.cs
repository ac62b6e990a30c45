namespace Mux.Tests.Serializers;

internal sealed class Unprepared : IUnprepared
{
    public ValueTask<JsonSpecimen> Known(JsonSpecimen message) => new(message);

    public ValueTask<Uri> Unknown(JsonSpecimen message) => new(new Uri("mux://nowhere"));
}
