using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Mux.Benchmarks.Codec.Table;

/// <summary>The JSON of the framework, by contexts that its source generator makes.</summary>
internal static class JsonCases
{
    // As a server would keep them: neither is made anew for a message.
    private static readonly ArrayBufferWriter<byte> s_buffer = new(128 * 1024);
    private static readonly Utf8JsonWriter s_writer = new(s_buffer);

    internal struct OfRequest : ICodecCase
    {
        private static readonly byte[] s_bytes = JsonSerializer.SerializeToUtf8Bytes(TableSamples.Request, TableContext.Default.SearchEmployee);

        public static int Encode() => Write(TableSamples.Request, TableContext.Default.SearchEmployee);

        public static object Decode() => JsonSerializer.Deserialize(s_bytes, TableContext.Default.SearchEmployee)!;
    }

    internal struct OfReply : ICodecCase
    {
        private static readonly byte[] s_bytes = JsonSerializer.SerializeToUtf8Bytes(TableSamples.Reply, TableContext.Default.Employee);

        public static int Encode() => Write(TableSamples.Reply, TableContext.Default.Employee);

        public static object Decode() => JsonSerializer.Deserialize(s_bytes, TableContext.Default.Employee)!;
    }

    internal struct OfOrder : ICodecCase
    {
        private static readonly byte[] s_bytes = JsonSerializer.SerializeToUtf8Bytes(TableSamples.Order, TableContext.Default.Order);

        public static int Encode() => Write(TableSamples.Order, TableContext.Default.Order);

        public static object Decode() => JsonSerializer.Deserialize(s_bytes, TableContext.Default.Order)!;
    }

    internal struct OfAttachment : ICodecCase
    {
        private static readonly byte[] s_bytes = JsonSerializer.SerializeToUtf8Bytes(TableSamples.Attachment, TableContext.Default.Attachment);

        public static int Encode() => Write(TableSamples.Attachment, TableContext.Default.Attachment);

        public static object Decode() => JsonSerializer.Deserialize(s_bytes, TableContext.Default.Attachment)!;
    }

    internal struct OfReadings : ICodecCase
    {
        private static readonly byte[] s_bytes = JsonSerializer.SerializeToUtf8Bytes(TableSamples.Readings, TableContext.Default.Readings);

        public static int Encode() => Write(TableSamples.Readings, TableContext.Default.Readings);

        public static object Decode() => JsonSerializer.Deserialize(s_bytes, TableContext.Default.Readings)!;
    }

    private static int Write<T>(T value, JsonTypeInfo<T> type)
    {
        s_buffer.ResetWrittenCount();
        s_writer.Reset();
        JsonSerializer.Serialize(s_writer, value, type);
        return s_buffer.WrittenCount;
    }
}
