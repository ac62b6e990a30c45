namespace Mux.Contracts;

/// <summary>What travels in each direction of a call; the value is the shape byte of the DEFINE frame (PROTOCOL.md section 3).</summary>
[Flags]
public enum MethodShape
{
    /// <summary>One request, one reply.</summary>
    Unary = 0,

    /// <summary>One request; the caller completes when it is queued.</summary>
    OneWay = 4,
}
