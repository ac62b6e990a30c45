using Google.Protobuf;
using Mux.TestSupport.Serializers;

namespace Mux.Serialization.GoogleProtobuf.Tests;

/// <summary>Messages that protoc has generated.</summary>
public sealed class GoogleProtobufSerializerConformanceTests : SerializerConformanceTests<IProtoEcho, ProtoSpecimen, GoogleProtobufSerializerConformanceTests.ProtoEcho>
{
    /// <summary>The library walks objects without a limit when it writes them.</summary>
    protected override bool LimitsDepthOfObjects => false;

    protected override IReadOnlyDictionary<string, byte[]> Hostile => HostileProtobuf.All;

    protected override byte[]? Nested(int depth) => HostileProtobuf.Nested(depth);

    protected override ProtoSpecimen Make(Specimen specimen)
    {
        var message = new ProtoSpecimen
        {
            Number = specimen.Number,
            Real = specimen.Real,
            Flag = specimen.Flag,
            Text = specimen.Text,
            Bytes = ByteString.CopyFrom(specimen.Bytes),
            Grade = (ProtoGrade)specimen.Grade,
            Numbers = { specimen.Numbers },
            Words = { specimen.Words },
            Inner = specimen.Inner is null ? null : Make(specimen.Inner),
            Items = { specimen.Items.Select(Make) },
        };
        if (specimen.Maybe is { } maybe) message.Maybe = maybe;
        return message;
    }

    protected override Specimen Describe(ProtoSpecimen message) => new()
    {
        Number = message.Number,
        Real = message.Real,
        Flag = message.Flag,
        Text = message.Text,
        Bytes = message.Bytes.ToByteArray(),
        Grade = (Grade)message.Grade,
        Numbers = [.. message.Numbers],
        Words = [.. message.Words],
        Inner = message.Inner is null ? null : Describe(message.Inner),
        Items = [.. message.Items.Select(Describe)],
        Maybe = message.HasMaybe ? message.Maybe : null,
    };

    protected override ValueTask<ProtoSpecimen> Echo(IProtoEcho proxy, ProtoSpecimen message) => proxy.Echo(message);

    protected override IAsyncEnumerable<ProtoSpecimen> EchoAll(IProtoEcho proxy, IAsyncEnumerable<ProtoSpecimen> messages) => proxy.EchoAll(messages, TestContext.Current.CancellationToken);

    protected override ValueTask Refuse(IProtoEcho proxy, ProtoSpecimen message) => proxy.Refuse(message);

    public sealed class ProtoEcho : EchoService<ProtoSpecimen>, IProtoEcho;
}
