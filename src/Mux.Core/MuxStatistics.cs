using Mux.Connections;

namespace Mux;

/// <summary>
/// What a channel or server has done since it was created, summed over all its connections. Started = completed + active at any quiet moment.
/// </summary>
public sealed record MuxStatistics
{
    internal MuxStatistics(LedgerTotals totals)
    {
        OpenConnections = totals.OpenConnections;
        BytesSent = totals.BytesSent;
        BytesReceived = totals.BytesReceived;
        BytesUnsent = totals.UnsentBytes;
        FramesReceived = totals.FramesReceived;
        Sends = totals.Sends;
        Receives = totals.Receives;
        LateReplies = totals.LateReplies;
        ProtocolErrors = totals.ProtocolErrors;
    }

    /// <summary>Connections that are open now.</summary>
    public int OpenConnections { get; init; }

    /// <summary>Calls begun: at a channel those made, at a server those received.</summary>
    public long CallsStarted { get; init; }

    /// <summary>Calls ended, with whatever status.</summary>
    public long CallsCompleted { get; init; }

    /// <summary>Of the active calls, those that wait to be sent.</summary>
    public long CallsWaiting { get; init; }

    /// <summary>Bytes handed to the transport.</summary>
    public long BytesSent { get; init; }

    /// <summary>Bytes taken from the transport.</summary>
    public long BytesReceived { get; init; }

    /// <summary>Bytes waiting for the transport now.</summary>
    public long BytesUnsent { get; init; }

    /// <summary>Frames received.</summary>
    public long FramesReceived { get; init; }

    /// <summary>Times bytes were handed to the transport; with sockets one system call each.</summary>
    public long Sends { get; init; }

    /// <summary>Batches of bytes taken from the transport.</summary>
    public long Receives { get; init; }

    /// <summary>
    /// Replies that came after their call was cancelled or had expired. A second reply to one call, or one to a call that never was, is no late
    /// reply but ends its connection.
    /// </summary>
    public long LateReplies { get; init; }

    /// <summary>Connections ended because a peer broke a rule of the protocol.</summary>
    public long ProtocolErrors { get; init; }

    /// <summary>Calls begun and not ended.</summary>
    public long CallsActive => CallsStarted - CallsCompleted;
}
