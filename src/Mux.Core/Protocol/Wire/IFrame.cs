namespace Mux.Protocol;

/// <summary>A frame as a value that writes its own payload. The frames of the hot path have methods of their own in FrameWriter.</summary>
internal interface IFrame
{
    static abstract FrameKind Kind { get; }

    static virtual FrameFlags Flags => FrameFlags.None;

    /// <summary>Writes the payload into a span that is large enough.</summary>
    /// <returns>Length of the payload.</returns>
    int Write(Span<byte> payload);
}
