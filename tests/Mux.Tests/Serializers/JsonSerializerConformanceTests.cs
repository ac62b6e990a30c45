using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>JSON by a source-generated context.</summary>
public sealed class JsonSerializerConformanceTests : SerializerConformanceTests<IJsonEcho, JsonSpecimen, JsonSerializerConformanceTests.JsonEcho>
{
    protected override IReadOnlyDictionary<string, byte[]> Hostile => HostileJson.All;

    protected override byte[]? Nested(int depth) => HostileJson.Nested(depth);

    // System.Text.Json writes values at one level less than it reads.
    protected override bool Carries(string name) => name != "as deep as messages may be";

    protected override JsonSpecimen Make(Specimen specimen) => new()
    {
        Number = specimen.Number,
        Real = specimen.Real,
        Flag = specimen.Flag,
        Text = specimen.Text,
        Bytes = specimen.Bytes,
        Grade = specimen.Grade,
        Numbers = specimen.Numbers.Count == 0 ? null : specimen.Numbers,
        Words = specimen.Words.Count == 0 ? null : specimen.Words,
        Inner = specimen.Inner is null ? null : Make(specimen.Inner),
        Items = specimen.Items.Count == 0 ? null : [.. specimen.Items.Select(Make)],
        Maybe = specimen.Maybe,
    };

    protected override Specimen Describe(JsonSpecimen message) => new()
    {
        Number = message.Number,
        Real = message.Real,
        Flag = message.Flag,
        Text = message.Text ?? "",
        Bytes = message.Bytes ?? [],
        Grade = message.Grade,
        Numbers = message.Numbers ?? [],
        Words = message.Words ?? [],
        Inner = message.Inner is null ? null : Describe(message.Inner),
        Items = message.Items is null ? [] : [.. message.Items.Select(Describe)],
        Maybe = message.Maybe,
    };

    protected override ValueTask<JsonSpecimen> Echo(IJsonEcho proxy, JsonSpecimen message) => proxy.Echo(message);

    protected override IAsyncEnumerable<JsonSpecimen> EchoAll(IJsonEcho proxy, IAsyncEnumerable<JsonSpecimen> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IJsonEcho proxy, JsonSpecimen message) => proxy.Refuse(message);

    public sealed class JsonEcho : EchoService<JsonSpecimen>, IJsonEcho;
}
