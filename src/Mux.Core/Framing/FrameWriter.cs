using Mux.Wire;

namespace Mux.Framing;

/// <summary>Writes whole frames into memory that is large enough. Returns what was written, header included.</summary>
internal static class FrameWriter
{
    /// <summary>Room that any frame of the connection level needs.</summary>
    public const int MaxControlFrame = FrameHeader.Size + ProtocolConstants.MaxHelloLength;

    /// <summary>Room that a FAIL needs.</summary>
    public const int MaxFailFrame = FrameHeader.Size + FailFrame.MaxWrittenLength;

    public static int Hello(Span<byte> to, HelloFrame frame) =>
        Finish(to, FrameKind.Hello, FrameFlags.None, default, frame.Write(to[FrameHeader.Size..]));

    public static int Ping(Span<byte> to, ulong opaque, bool answer)
    {
        PingFrame.Write(to[FrameHeader.Size..], opaque);
        return Finish(to, FrameKind.Ping, answer ? FrameFlags.Answer : FrameFlags.None, default, PingFrame.Length);
    }

    public static int GoAway(Span<byte> to, GoAwayFrame frame) =>
        Finish(to, FrameKind.GoAway, FrameFlags.None, default, frame.Write(to[FrameHeader.Size..]));

    public static int GoAwayAcknowledgement(Span<byte> to) => Finish(to, FrameKind.GoAway, FrameFlags.Answer, default, 0);

    public static int Define(Span<byte> to, DefineFrame frame)
    {
        frame.Write(to[FrameHeader.Size..]);
        return Finish(to, FrameKind.Define, FrameFlags.None, default, frame.Length);
    }

    public static int Request(Span<byte> to, CallId id, RequestHead head, ReadOnlySpan<byte> body)
    {
        int headLength = head.Length;
        head.Write(to[FrameHeader.Size..]);
        body.CopyTo(to[(FrameHeader.Size + headLength)..]);
        return Finish(to, FrameKind.Request, FrameFlags.None, id, headLength + body.Length);
    }

    public static int Cancel(Span<byte> to, CallId id, CancelReason reason)
    {
        CancelFrame.Write(to[FrameHeader.Size..], reason);
        return Finish(to, FrameKind.Cancel, FrameFlags.None, id, CancelFrame.Length);
    }

    public static int Response(Span<byte> to, CallId id, ReadOnlySpan<byte> body)
    {
        body.CopyTo(to[FrameHeader.Size..]);
        return Finish(to, FrameKind.Response, FrameFlags.None, id, body.Length);
    }

    public static int Fail(Span<byte> to, CallId id, FailFrame frame) =>
        Finish(to, FrameKind.Fail, FrameFlags.None, id, frame.Write(to[FrameHeader.Size..]));

    private static int Finish(Span<byte> to, FrameKind kind, FrameFlags flags, CallId id, int length)
    {
        new FrameHeader(kind, flags, id, length).Write(to);
        return FrameHeader.Size + length;
    }
}
