namespace Mux.Benchmarks.Codec.Table;

/// <summary>The reference.</summary>
internal static class HandWrittenCases
{
    internal struct OfRequest : ICodecCase
    {
        public static int Encode() => HandWrittenCodec.Encode(TableSamples.Request, TableSamples.Buffer);

        public static object Decode() => HandWrittenCodec.DecodeRequest(TableSamples.RequestBytes);
    }

    internal struct OfReply : ICodecCase
    {
        public static int Encode() => HandWrittenCodec.Encode(TableSamples.Reply, TableSamples.Buffer);

        public static object Decode() => HandWrittenCodec.DecodeReply(TableSamples.ReplyBytes);
    }

    internal struct OfOrder : ICodecCase
    {
        public static int Encode() => HandWrittenOrders.Encode(TableSamples.Order, TableSamples.Buffer);

        public static object Decode() => HandWrittenOrders.Decode(TableSamples.OrderBytes);
    }

    internal struct OfAttachment : ICodecCase
    {
        public static int Encode() => HandWrittenAttachments.Encode(TableSamples.Attachment, TableSamples.Buffer);

        public static object Decode() => HandWrittenAttachments.Decode(TableSamples.AttachmentBytes);
    }

    internal struct OfReadings : ICodecCase
    {
        public static int Encode() => HandWrittenReadings.Encode(TableSamples.Readings, TableSamples.Buffer);

        public static object Decode() => HandWrittenReadings.Decode(TableSamples.ReadingsBytes);
    }
}
