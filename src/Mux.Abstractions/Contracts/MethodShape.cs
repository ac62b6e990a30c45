using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>The messages in each direction of a call; the value is the shape byte of the DEFINE frame (PROTOCOL.md section 3).</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
[Flags]
public enum MethodShape
{
    /// <summary>One request, one reply.</summary>
    Unary = 0,

    /// <summary>Items follow the request.</summary>
    RequestStream = 1,

    /// <summary>Items are sent instead of one reply.</summary>
    ResponseStream = 2,

    /// <summary>Items in both directions, each at its own pace.</summary>
    Duplex = RequestStream | ResponseStream,

    /// <summary>One request without a reply; the call completes when the request is queued.</summary>
    OneWay = 4,
}
