namespace Mux.Contracts;

/// <summary>What travels in each direction of a call; the value is the shape byte of the DEFINE frame (PROTOCOL.md section 3).</summary>
[Flags]
public enum MethodShape
{
    /// <summary>One request, one reply.</summary>
    Unary = 0,

    /// <summary>The request is followed by items.</summary>
    RequestStream = 1,

    /// <summary>Items come instead of one reply.</summary>
    ResponseStream = 2,

    /// <summary>Items both ways, each at its own pace.</summary>
    Duplex = RequestStream | ResponseStream,

    /// <summary>One request; the caller completes when it is queued.</summary>
    OneWay = 4,
}
