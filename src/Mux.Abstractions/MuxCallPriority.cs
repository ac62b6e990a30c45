namespace Mux;

/// <summary>
/// The share of a connection that the large messages and streams of a call get while other calls send. The priority does not affect messages of up to 16 KiB:
/// each fits in one frame and is sent before large messages and streams.
/// </summary>
public enum MuxCallPriority
{
    /// <summary>The normal share.</summary>
    Normal = 0,

    /// <summary>Four times the normal share.</summary>
    High = 1,

    /// <summary>A quarter of the normal share.</summary>
    Low = 2,
}
