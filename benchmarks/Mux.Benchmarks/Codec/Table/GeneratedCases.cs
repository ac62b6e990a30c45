#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using Mux.Generated.Mux_Benchmarks;
using Mux.Serialization;

namespace Mux.Benchmarks.Codec.Table;

/// <summary>The codecs that the generator makes.</summary>
internal static class GeneratedCases
{
    internal struct OfRequest : ICodecCase
    {
        public static int Encode()
        {
            var writer = new MessageWriter(TableSamples.Buffer, TableSamples.Overflow);
            Mux_Benchmarks_SearchEmployee_Codec.Write(ref writer, TableSamples.Request);
            return writer.Count;
        }

        public static object Decode() => Mux_Benchmarks_SearchEmployee_Codec.Read(TableSamples.RequestBytes);
    }

    internal struct OfReply : ICodecCase
    {
        public static int Encode()
        {
            var writer = new MessageWriter(TableSamples.Buffer, TableSamples.Overflow);
            Mux_Benchmarks_Employee_Codec.Write(ref writer, TableSamples.Reply);
            return writer.Count;
        }

        public static object Decode() => Mux_Benchmarks_Employee_Codec.Read(TableSamples.ReplyBytes);
    }

    internal struct OfOrder : ICodecCase
    {
        public static int Encode()
        {
            var writer = new MessageWriter(TableSamples.Buffer, TableSamples.Overflow);
            Mux_Benchmarks_Codec_Shapes_Order_Codec.Write(ref writer, TableSamples.Order);
            return writer.Count;
        }

        public static object Decode() => Mux_Benchmarks_Codec_Shapes_Order_Codec.Read(TableSamples.OrderBytes);
    }

    internal struct OfAttachment : ICodecCase
    {
        public static int Encode()
        {
            var writer = new MessageWriter(TableSamples.Buffer, TableSamples.Overflow);
            Mux_Benchmarks_Codec_Shapes_Attachment_Codec.Write(ref writer, TableSamples.Attachment);
            return writer.Count;
        }

        public static object Decode() => Mux_Benchmarks_Codec_Shapes_Attachment_Codec.Read(TableSamples.AttachmentBytes);
    }

    internal struct OfReadings : ICodecCase
    {
        public static int Encode()
        {
            var writer = new MessageWriter(TableSamples.Buffer, TableSamples.Overflow);
            Mux_Benchmarks_Codec_Shapes_Readings_Codec.Write(ref writer, TableSamples.Readings);
            return writer.Count;
        }

        public static object Decode() => Mux_Benchmarks_Codec_Shapes_Readings_Codec.Read(TableSamples.ReadingsBytes);
    }
}
