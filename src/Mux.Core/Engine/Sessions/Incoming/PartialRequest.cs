using Mux.Protocol;

namespace Mux.Engine;

/// <summary>A request that arrives in fragments.</summary>
internal sealed class PartialRequest(CallId id, int length, RequestStart start)
    : PartialMessage(FrameKind.Request, id, length, isUnwanted: false, start.Extras?.Held ?? 0)
{
    /// <summary>Content of its first frame.</summary>
    public RequestStart Start => start;
}
