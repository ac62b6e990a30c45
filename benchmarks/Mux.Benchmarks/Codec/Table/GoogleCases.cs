using Google.Protobuf;

namespace Mux.Benchmarks.Codec.Table;

/// <summary>Google's library, with the classes that protoc makes.</summary>
internal static class GoogleCases
{
    internal struct OfRequest : ICodecCase
    {
        private static readonly Protos.SearchEmployee s_value = Protos.SearchEmployee.Parser.ParseFrom(TableSamples.RequestBytes);

        public static int Encode() => Write(s_value);

        public static object Decode() => Protos.SearchEmployee.Parser.ParseFrom(TableSamples.RequestBytes);
    }

    internal struct OfReply : ICodecCase
    {
        private static readonly Protos.Employee s_value = Protos.Employee.Parser.ParseFrom(TableSamples.ReplyBytes);

        public static int Encode() => Write(s_value);

        public static object Decode() => Protos.Employee.Parser.ParseFrom(TableSamples.ReplyBytes);
    }

    internal struct OfOrder : ICodecCase
    {
        private static readonly Protos.Order s_value = Protos.Order.Parser.ParseFrom(TableSamples.OrderBytes);

        public static int Encode() => Write(s_value);

        public static object Decode() => Protos.Order.Parser.ParseFrom(TableSamples.OrderBytes);
    }

    internal struct OfAttachment : ICodecCase
    {
        private static readonly Protos.Attachment s_value = Protos.Attachment.Parser.ParseFrom(TableSamples.AttachmentBytes);

        public static int Encode() => Write(s_value);

        public static object Decode() => Protos.Attachment.Parser.ParseFrom(TableSamples.AttachmentBytes);
    }

    internal struct OfReadings : ICodecCase
    {
        private static readonly Protos.Readings s_value = Protos.Readings.Parser.ParseFrom(TableSamples.ReadingsBytes);

        public static int Encode() => Write(s_value);

        public static object Decode() => Protos.Readings.Parser.ParseFrom(TableSamples.ReadingsBytes);
    }

    // The length is asked for before anything is written: a span of another length is refused.
    private static int Write(IMessage message)
    {
        int size = message.CalculateSize();
        message.WriteTo(TableSamples.Buffer.AsSpan(0, size));
        return size;
    }
}
