using Mux.Engine;

namespace Mux;

/// <summary>
/// Statistics of a channel or server since its creation, summed over all its connections. <see cref="CallsStarted"/> is <see cref="CallsCompleted"/> plus
/// <see cref="CallsActive"/>.
/// </summary>
public sealed record MuxStatistics
{
    internal MuxStatistics(LedgerTotals totals)
    {
        OpenConnections = totals.OpenConnections;
        BytesSent = totals.BytesSent;
        BytesReceived = totals.BytesReceived;
        BytesUnsent = totals.UnsentBytes;
        CallsParked = totals.ParkedCalls;
        FramesReceived = totals.FramesReceived;
        Sends = totals.Sends;
        Receives = totals.Receives;
        LateReplies = totals.LateReplies;
        ProtocolErrors = totals.ProtocolErrors;
    }

    /// <summary>Number of connections that are open now.</summary>
    public int OpenConnections { get; init; }

    /// <summary>Number of calls made (channel) or received (server).</summary>
    public long CallsStarted { get; init; }

    /// <summary>Number of calls that ended, with any status.</summary>
    public long CallsCompleted { get; init; }

    /// <summary>Number of started calls that have not been sent yet.</summary>
    public long CallsWaiting { get; init; }

    /// <summary>
    /// Number of received calls that wait at this side now until a handler, memory, or room for their replies is free. They count as active.
    /// </summary>
    public long CallsParked { get; init; }

    /// <summary>
    /// Number of calls in the other direction: those that the server made to its clients, or that the channel received from its servers.
    /// </summary>
    public long ReverseCallsStarted { get; init; }

    /// <summary>Number of calls in the other direction that ended, with any status.</summary>
    public long ReverseCallsCompleted { get; init; }

    /// <summary>Number of bytes passed to the transport.</summary>
    public long BytesSent { get; init; }

    /// <summary>Number of bytes received from the transport.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Number of bytes that wait for the transport now.</summary>
    public long BytesUnsent { get; init; }

    /// <summary>Number of frames received.</summary>
    public long FramesReceived { get; init; }

    /// <summary>Number of times that bytes were passed to the transport. With sockets, each is one system call.</summary>
    public long Sends { get; init; }

    /// <summary>Number of times that the transport delivered received bytes.</summary>
    public long Receives { get; init; }

    /// <summary>
    /// Number of replies that arrived after their call was cancelled or had expired. A second reply to a call, or a reply to a call that never existed, does
    /// not count: it ends the connection.
    /// </summary>
    public long LateReplies { get; init; }

    /// <summary>Number of connections that ended because a peer violated the protocol.</summary>
    public long ProtocolErrors { get; init; }

    /// <summary>Number of calls that have started and not ended.</summary>
    public long CallsActive => CallsStarted - CallsCompleted;
}
