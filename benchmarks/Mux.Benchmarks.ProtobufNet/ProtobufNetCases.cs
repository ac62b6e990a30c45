using System.Buffers;
using Mux.Benchmarks.Codec.Shapes;
using Mux.Benchmarks.Codec.Table;
using ProtoBuf;

namespace Mux.Benchmarks.ProtobufNet;

/// <summary>protobuf-net with its default model, which compiles a serializer when a type is first met: the same classes and the same bytes.</summary>
internal static class ProtobufNetCases
{
    private const string Library = "protobuf-net";

    // As a server would keep it.
    private static readonly ArrayBufferWriter<byte> s_buffer = new(128 * 1024);

    public static IReadOnlyList<CodecCase> All { get; } =
    [
        CodecCase.Of<OfRequest>(CodecCases.Request, Library),
        CodecCase.Of<OfReply>(CodecCases.Reply, Library),
        CodecCase.Of<OfOrder>(CodecCases.Order, Library),
        CodecCase.Of<OfAttachment>(CodecCases.Attachment, Library),
        CodecCase.Of<OfReadings>(CodecCases.Readings, Library),
    ];

    private static int Write<T>(T value)
    {
        s_buffer.ResetWrittenCount();
        Serializer.Serialize(s_buffer, value);
        return s_buffer.WrittenCount;
    }

    private static T Read<T>(byte[] bytes) => Serializer.Deserialize<T>(new ReadOnlySpan<byte>(bytes));

    internal struct OfRequest : ICodecCase
    {
        public static int Encode() => Write(TableSamples.Request);

        public static object Decode() => Read<SearchEmployee>(TableSamples.RequestBytes);
    }

    internal struct OfReply : ICodecCase
    {
        public static int Encode() => Write(TableSamples.Reply);

        public static object Decode() => Read<Employee>(TableSamples.ReplyBytes);
    }

    internal struct OfOrder : ICodecCase
    {
        public static int Encode() => Write(TableSamples.Order);

        public static object Decode() => Read<Order>(TableSamples.OrderBytes);
    }

    internal struct OfAttachment : ICodecCase
    {
        public static int Encode() => Write(TableSamples.Attachment);

        public static object Decode() => Read<Attachment>(TableSamples.AttachmentBytes);
    }

    internal struct OfReadings : ICodecCase
    {
        public static int Encode() => Write(TableSamples.Readings);

        public static object Decode() => Read<Readings>(TableSamples.ReadingsBytes);
    }
}
