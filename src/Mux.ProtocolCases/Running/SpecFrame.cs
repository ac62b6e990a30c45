using Mux.Protocol;

namespace Mux.ProtocolCases.Running;

/// <summary>A frame received from the peer.</summary>
internal sealed record SpecFrame(FrameHeader Header, byte[] Payload)
{
    public FrameKind Kind => Header.Kind;

    public CallId Id => Header.Id;

    public bool Has(FrameFlags flag) => (Header.Flags & flag) != 0;

    /// <summary>Describes it for a result.</summary>
    public override string ToString()
    {
        if (Kind == FrameKind.GoAway && !Has(FrameFlags.Answer) && GoAwayFrame.TryRead(Payload, out var goAway, out _)) return $"GOAWAY {goAway.Code}";
        if (Kind == FrameKind.Fail && FailFrame.TryRead(Payload, out var fail, out _)) return $"FAIL {(MuxStatus)fail.Status}";
        return (Has(FrameFlags.Answer) ? "answer to " : "") + Kind.ToString().ToUpperInvariant();
    }
}
