namespace Mux.TestSupport.Transports;

/// <summary>What happens to a direction of a connection at one byte.</summary>
public enum OffsetFault
{
    None,

    /// <summary>The connection ends: the bytes before are delivered, then the end of the stream; the sender sees a reset.</summary>
    Cut,

    /// <summary>What follows is accepted and lost, the end of the stream included: the sender sees nothing.</summary>
    Stall,

    /// <summary>What follows is not accepted, as by a peer that does not read.</summary>
    Block,

    /// <summary>Bits of the byte flip.</summary>
    Corrupt,
}
