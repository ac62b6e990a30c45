namespace Mux.Protocol;

/// <summary>Writes complete frames into a span that is large enough. Returns the length written, header included.</summary>
internal static class FrameWriter
{
    /// <summary>Maximum length of a frame of the connection level.</summary>
    public const int MaxControlFrame = FrameHeader.Size + ProtocolConstants.MaxHelloLength;

    /// <summary>Maximum length of a FAIL without metadata and detail.</summary>
    public const int MaxFailFrame = FrameHeader.Size + FailFrame.MaxWrittenLength;

    /// <summary>Maximum length of any FAIL.</summary>
    public const int MaxFullFailFrame = FrameHeader.Size + ProtocolConstants.MaxFailLength;

    /// <summary>Length of any credit, and of ITEM_WINDOW.</summary>
    public const int CreditFrameLength = FrameHeader.Size + CreditFrame.Length;

    public static int Write<TFrame>(Span<byte> to, TFrame frame, CallId id = default)
        where TFrame : IFrame, allows ref struct => Finish(to, TFrame.Kind, TFrame.Flags, id, frame.Write(to[FrameHeader.Size..]));

    public static int Ping(Span<byte> to, ulong opaque, bool answer)
    {
        PingFrame.Write(to[FrameHeader.Size..], opaque);
        return Finish(to, FrameKind.Ping, answer ? FrameFlags.Answer : FrameFlags.None, default, PingFrame.Length);
    }

    public static int GoAwayAcknowledgement(Span<byte> to) => Finish(to, FrameKind.GoAway, FrameFlags.Answer, default, 0);

    /// <param name="to">Destination.</param>
    /// <param name="payload">Payload from <see cref="AuthCredential.Make"/>.</param>
    public static int Credential(Span<byte> to, ReadOnlySpan<byte> payload)
    {
        payload.CopyTo(to[FrameHeader.Size..]);
        return Finish(to, FrameKind.Auth, FrameFlags.None, default, payload.Length);
    }

    public static int Request(Span<byte> to, CallId id, RequestHead head, ReadOnlySpan<byte> body) => Request(to, id, head, default, body);

    /// <param name="to">Destination.</param>
    /// <param name="id">Id of the call.</param>
    /// <param name="head">Head of the request.</param>
    /// <param name="trace">Trace context; written if the head says so.</param>
    /// <param name="body">The message.</param>
    /// <param name="key">Hash of the key; written if the head says so.</param>
    public static int Request(Span<byte> to, CallId id, RequestHead head, in TraceContext trace, ReadOnlySpan<byte> body, ulong key = 0)
    {
        int headLength = head.Length;
        head.Write(to[FrameHeader.Size..], trace, key);
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

    /// <summary>
    /// Writes a FAIL with as much of <paramref name="extras"/> as fits. <paramref name="to"/> must hold <see cref="MaxFullFailFrame"/> bytes.
    /// </summary>
    public static int Fail(Span<byte> to, CallId id, FailFrame frame, FailExtras extras, out FailOmissions omitted)
    {
        int length = frame.Write(to[FrameHeader.Size..], extras, out var flags, out omitted);
        return Finish(to, FrameKind.Fail, flags, id, length);
    }

    /// <summary>Writes the header of a REQUEST_ITEM or RESPONSE_ITEM in front of its payload, which is already in place.</summary>
    public static int Item(Span<byte> to, FrameKind kind, CallId id, int length, FrameFlags flags = FrameFlags.None) => Finish(to, kind, flags, id, length);

    /// <summary>Writes the first frame of a message in fragments, which carries no body, up to its metadata.</summary>
    /// <param name="to">Destination.</param>
    /// <param name="kind">RESPONSE, REQUEST_ITEM or RESPONSE_ITEM.</param>
    /// <param name="id">Id of the call.</param>
    /// <param name="metadataLength">Length of the metadata block, which the caller writes behind; 0 for none.</param>
    /// <param name="bodyLength">Length of the body.</param>
    /// <returns>The place of the metadata block. With its length, the length of the frame.</returns>
    public static int FirstFragment(Span<byte> to, FrameKind kind, CallId id, int metadataLength, int bodyLength)
    {
        FragmentHead.Write(to[FrameHeader.Size..], bodyLength);
        var flags = FrameFlags.More | (metadataLength > 0 ? FrameFlags.Meta : FrameFlags.None);
        return Finish(to, kind, flags, id, FragmentHead.Length + metadataLength) - metadataLength;
    }

    public static int RequestEnd(Span<byte> to, CallId id) => Finish(to, FrameKind.RequestEnd, FrameFlags.None, id, 0);

    /// <summary>Writes a CREDIT with the id 0, or another kind of credit or an ITEM_WINDOW with the id of a call.</summary>
    public static int Credit(Span<byte> to, FrameKind kind, CallId id, int amount)
    {
        CreditFrame.Write(to[FrameHeader.Size..], amount);
        return Finish(to, kind, FrameFlags.None, id, CreditFrame.Length);
    }

    private static int Finish(Span<byte> to, FrameKind kind, FrameFlags flags, CallId id, int length)
    {
        new FrameHeader(kind, flags, id, length).Write(to);
        return FrameHeader.Size + length;
    }
}
