using Mux.Protocol;

namespace Mux.TestSupport.Connections;

/// <summary>A frame as a peer sees it.</summary>
internal sealed record RawFrame(FrameHeader Header, byte[] Payload)
{
    public FrameKind Kind => Header.Kind;

    public CallId Id => Header.Id;
}
