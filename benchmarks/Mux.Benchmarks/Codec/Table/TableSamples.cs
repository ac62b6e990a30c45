using Mux.Benchmarks.Codec.Shapes;
using Mux.Serialization;

namespace Mux.Benchmarks.Codec.Table;

/// <summary>The messages of the table, the bytes that all protobuf libraries read, and the memory that all write to.</summary>
internal static class TableSamples
{
    public static readonly byte[] Buffer = new byte[128 * 1024];
    public static readonly MessageBuffer Overflow = new();

    public static readonly SearchEmployee Request = CodecSamples.Request;
    public static readonly Employee Reply = CodecSamples.Reply;
    public static readonly Order Order = Order.LargeExample();
    public static readonly Attachment Attachment = Attachment.Example();
    public static readonly Readings Readings = Readings.Example();

    public static readonly byte[] RequestBytes = CodecSamples.EncodedRequest();
    public static readonly byte[] ReplyBytes = CodecSamples.EncodedReply();
    public static readonly byte[] OrderBytes = Buffer[..HandWrittenOrders.Encode(Order, Buffer)];
    public static readonly byte[] AttachmentBytes = Buffer[..HandWrittenAttachments.Encode(Attachment, Buffer)];
    public static readonly byte[] ReadingsBytes = Buffer[..HandWrittenReadings.Encode(Readings, Buffer)];
}
