namespace Mux.Benchmarks.Codec;

/// <summary>The reference codec on the seed's messages.</summary>
public static class HandWrittenLoops
{
    private static readonly byte[] s_buffer = new byte[CodecSamples.BufferSize];
    private static readonly byte[] s_request = CodecSamples.EncodedRequest();
    private static readonly byte[] s_reply = CodecSamples.EncodedReply();

    public static IReadOnlyList<CodecLoop> All { get; } =
    [
        new("encode request", EncodeRequest),
        new("encode reply", EncodeReply),
        new("decode request", DecodeRequest),
        new("decode reply", DecodeReply),
        new("encode 64 replies", EncodeReplies),
        new("decode 64 replies", DecodeReplies),
    ];

    private static int EncodeRequest(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += HandWrittenCodec.Encode(CodecSamples.Request, s_buffer);
        return sum;
    }

    private static int EncodeReply(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += HandWrittenCodec.Encode(CodecSamples.Reply, s_buffer);
        return sum;
    }

    private static int DecodeRequest(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += HandWrittenCodec.DecodeRequest(s_request).Id;
        return sum;
    }

    private static int DecodeReply(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++) sum += HandWrittenCodec.DecodeReply(s_reply).EmployeeId;
        return sum;
    }

    private static int EncodeReplies(int count)
    {
        int sum = 0;
        var replies = CodecSamples.Replies;
        for (int i = 0; i < count; i++) sum += HandWrittenCodec.Encode(replies[i & 63], s_buffer);
        return sum;
    }

    private static int DecodeReplies(int count)
    {
        int sum = 0;
        var replies = CodecSamples.EncodedReplies;
        for (int i = 0; i < count; i++) sum += HandWrittenCodec.DecodeReply(replies[i & 63]).EmployeeId;
        return sum;
    }
}
