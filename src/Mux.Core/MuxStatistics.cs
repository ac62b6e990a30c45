namespace Mux;

/// <summary>What a channel or server has done since it was created, summed over all its connections. Started = completed + active at any quiet moment.</summary>
/// <param name="OpenConnections">Connections that are open now.</param>
/// <param name="CallsStarted">Calls begun: at a channel those made, at a server those received.</param>
/// <param name="CallsCompleted">Calls ended, with whatever status.</param>
/// <param name="CallsWaiting">Of the active calls, those that wait to be sent.</param>
/// <param name="BytesSent">Bytes handed to the transport.</param>
/// <param name="BytesReceived">Bytes taken from the transport.</param>
/// <param name="BytesUnsent">Bytes waiting for the transport now.</param>
/// <param name="FramesReceived">Frames received.</param>
/// <param name="Sends">Times bytes were handed to the transport; with sockets one system call each.</param>
/// <param name="Receives">Batches of bytes taken from the transport.</param>
/// <param name="LateReplies">Replies that came after their call was cancelled or had expired. A second reply to one call, or one to a call that never was, is no late
/// reply but ends its connection.</param>
/// <param name="ProtocolErrors">Connections ended because a peer broke a rule of the protocol.</param>
public sealed record MuxStatistics(
    int OpenConnections,
    long CallsStarted,
    long CallsCompleted,
    long CallsWaiting,
    long BytesSent,
    long BytesReceived,
    long BytesUnsent,
    long FramesReceived,
    long Sends,
    long Receives,
    long LateReplies,
    long ProtocolErrors)
{
    /// <summary>Calls begun and not ended.</summary>
    public long CallsActive => CallsStarted - CallsCompleted;
}
