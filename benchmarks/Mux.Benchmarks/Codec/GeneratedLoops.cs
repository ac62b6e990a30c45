#pragma warning disable CS0612 // generated code is marked as obsolete, so that it may name what users mark
using Mux.Benchmarks.Codec.Shapes;
using Mux.Generated.Mux_Benchmarks;
using Mux.Serialization;

namespace Mux.Benchmarks.Codec;

/// <summary>The generated codec on the seed's messages and on others.</summary>
public static class GeneratedLoops
{
    private static readonly MessageBuffer s_overflow = new();
    private static readonly byte[] s_buffer = new byte[CodecSamples.BufferSize];
    private static readonly byte[] s_request = CodecSamples.EncodedRequest();
    private static readonly byte[] s_reply = CodecSamples.EncodedReply();
    private static readonly Widths s_widths = Widths.Example();
    private static readonly Series s_series = Series.Example();
    private static readonly Order s_order = Order.Example();
    private static readonly Note s_note = Note.Example();
    private static readonly byte[] s_encodedWidths = s_buffer[..EncodeWidths(1)];
    private static readonly byte[] s_encodedSeries = s_buffer[..EncodeSeries(1)];
    private static readonly byte[] s_encodedOrder = s_buffer[..EncodeOrder(1)];
    private static readonly byte[] s_encodedNote = s_buffer[..EncodeNote(1)];

    public static IReadOnlyList<CodecLoop> All { get; } =
    [
        new("encode request", EncodeRequest),
        new("encode reply", EncodeReply),
        new("decode request", DecodeRequest),
        new("decode reply", DecodeReply),
        new("encode 64 replies", EncodeReplies),
        new("decode 64 replies", DecodeReplies),
        new("encode widths", EncodeWidths),
        new("encode series", EncodeSeries),
        new("encode nested", EncodeOrder),
        new("encode long text", EncodeNote),
        new("decode widths", DecodeWidths),
        new("decode series", DecodeSeries),
        new("decode nested", DecodeOrder),
        new("decode long text", DecodeNote),
    ];

    private static int EncodeRequest(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_SearchEmployee_Codec.Write(ref writer, CodecSamples.Request);
            sum += writer.Count;
        }

        return sum;
    }

    private static int EncodeReply(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_Employee_Codec.Write(ref writer, CodecSamples.Reply);
            sum += writer.Count;
        }

        return sum;
    }

    private static int EncodeReplies(int count)
    {
        int sum = 0;
        var replies = CodecSamples.Replies;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_Employee_Codec.Write(ref writer, replies[i & 63]);
            sum += writer.Count;
        }

        return sum;
    }

    private static int EncodeWidths(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_Codec_Shapes_Widths_Codec.Write(ref writer, s_widths);
            sum += writer.Count;
        }

        return sum;
    }

    private static int EncodeSeries(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_Codec_Shapes_Series_Codec.Write(ref writer, s_series);
            sum += writer.Count;
        }

        return sum;
    }

    private static int EncodeOrder(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_Codec_Shapes_Order_Codec.Write(ref writer, s_order);
            sum += writer.Count;
        }

        return sum;
    }

    private static int EncodeNote(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            var writer = new MessageWriter(s_buffer, s_overflow);
            Mux_Benchmarks_Codec_Shapes_Note_Codec.Write(ref writer, s_note);
            sum += writer.Count;
        }

        return sum;
    }

    private static int DecodeRequest(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += Mux_Benchmarks_SearchEmployee_Codec.Read(s_request).Id;
        }

        return sum;
    }

    private static int DecodeReply(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += Mux_Benchmarks_Employee_Codec.Read(s_reply).EmployeeId;
        }

        return sum;
    }

    private static int DecodeReplies(int count)
    {
        int sum = 0;
        var replies = CodecSamples.EncodedReplies;
        for (int i = 0; i < count; i++)
        {
            sum += Mux_Benchmarks_Employee_Codec.Read(replies[i & 63]).EmployeeId;
        }

        return sum;
    }

    private static int DecodeWidths(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += Mux_Benchmarks_Codec_Shapes_Widths_Codec.Read(s_encodedWidths).One;
        }

        return sum;
    }

    private static int DecodeSeries(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += Mux_Benchmarks_Codec_Shapes_Series_Codec.Read(s_encodedSeries).Id;
        }

        return sum;
    }

    private static int DecodeOrder(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += (int)Mux_Benchmarks_Codec_Shapes_Order_Codec.Read(s_encodedOrder).Id;
        }

        return sum;
    }

    private static int DecodeNote(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            sum += (int)Mux_Benchmarks_Codec_Shapes_Note_Codec.Read(s_encodedNote).Id;
        }

        return sum;
    }
}
