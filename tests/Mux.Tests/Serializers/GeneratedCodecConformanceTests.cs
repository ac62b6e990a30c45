using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>The codec that is generated: what contracts have that name no serializer.</summary>
public sealed class GeneratedCodecConformanceTests : SerializerConformanceTests<IGeneratedEcho, GeneratedSpecimen, GeneratedCodecConformanceTests.GeneratedEcho>
{
    protected override IReadOnlyDictionary<string, byte[]> Hostile => HostileProtobuf.All;

    protected override byte[]? Nested(int depth) => HostileProtobuf.Nested(depth);

    protected override GeneratedSpecimen Make(Specimen specimen) => new()
    {
        Number = specimen.Number,
        Real = specimen.Real,
        Flag = specimen.Flag,
        Text = specimen.Text,
        Bytes = specimen.Bytes,
        Grade = specimen.Grade,
        Numbers = specimen.Numbers,
        Words = specimen.Words,
        Inner = specimen.Inner is null ? null : Make(specimen.Inner),
        Items = [.. specimen.Items.Select(Make)],
        Maybe = specimen.Maybe,
    };

    protected override Specimen Describe(GeneratedSpecimen message) => new()
    {
        Number = message.Number,
        Real = message.Real,
        Flag = message.Flag,
        Text = message.Text,
        Bytes = message.Bytes,
        Grade = message.Grade,
        Numbers = message.Numbers,
        Words = message.Words,
        Inner = message.Inner is null ? null : Describe(message.Inner),
        Items = [.. message.Items.Select(Describe)],
        Maybe = message.Maybe,
    };

    protected override ValueTask<GeneratedSpecimen> Echo(IGeneratedEcho proxy, GeneratedSpecimen message) => proxy.Echo(message);

    protected override IAsyncEnumerable<GeneratedSpecimen> EchoAll(IGeneratedEcho proxy, IAsyncEnumerable<GeneratedSpecimen> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IGeneratedEcho proxy, GeneratedSpecimen message) => proxy.Refuse(message);

    public sealed class GeneratedEcho : EchoService<GeneratedSpecimen>, IGeneratedEcho;
}
