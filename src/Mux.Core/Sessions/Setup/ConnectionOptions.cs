using Mux.Contracts;
using Mux.Execution;
using Mux.Sessions.Budgets;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Setup;

/// <summary>What a connection is told at birth. Times in microseconds.</summary>
internal sealed record ConnectionOptions
{
    /// <summary>The limits and the name this side announces.</summary>
    public PeerSettings Local { get; init; } = PeerSettings.Default;

    /// <summary>Unsent bytes above which calls wait and new requests are parked.</summary>
    public long UnsentLimit { get; init; } = 1024 * 1024;

    /// <summary>The same for large messages and streams, which wait beside the others.</summary>
    public long BulkUnsentLimit { get; init; } = 16 * 1024 * 1024;

    /// <summary>Bytes that calls may wait with before they are sent, each charged <c>CallQueue.CallCharge</c> beside its body.</summary>
    public long WaitingLimit { get; init; } = 32 * 1024 * 1024;

    /// <summary>Bytes of requests parked while the peer does not read its replies; beyond, requests are refused.</summary>
    public long ParkedLimit { get; init; } = 1024 * 1024;

    /// <summary>Bytes that the streams of the connection may make this side hold: the sum of their windows.</summary>
    public long StreamLimit { get; init; } = 64 * 1024 * 1024;

    /// <summary>Bytes of large messages of which not all has arrived, and of items that were not taken and are beyond the windows of their streams.</summary>
    public long ReassemblyLimit { get; init; } = 64 * 1024 * 1024;

    /// <summary>Bytes of large messages that may be on their way to this side, at most: how far the bulk credit grows.</summary>
    public long BulkLimit { get; init; } = 4 * 1024 * 1024;

    /// <summary>
    /// Bytes of requests whose handlers have not answered, above which further ones are parked. Small requests do not count: see <c>Acceptor</c>.
    /// </summary>
    public long RunningLimit { get; init; } = 64 * 1024 * 1024;

    /// <summary>How long a request of the peer may take, whatever it says.</summary>
    public long MaxDeadline { get; init; } = Clock.Never;

    /// <summary>From the start of the link to the peer's HELLO.</summary>
    public long HandshakeTimeout { get; init; } = 10_000_000;

    /// <summary>Silence after which the peer is asked whether it lives, while calls are open.</summary>
    public long KeepAliveTime { get; init; } = Clock.Never;

    /// <summary>How long it may take to answer.</summary>
    public long KeepAliveTimeout { get; init; } = 15_000_000;

    /// <summary>Time without calls after which the connection ends.</summary>
    public long IdleTimeout { get; init; } = Clock.Never;

    /// <summary>How long the link may take no byte while some wait, and how long the peer may take over one frame.</summary>
    public long StallTimeout { get; init; } = 30_000_000;

    /// <summary>
    /// How long a peer may take to acknowledge a drain before it is treated as acknowledged; also how long a drained connection waits for the peer to end it.
    /// </summary>
    public long DrainAcknowledgeTimeout { get; init; } = 5_000_000;

    /// <summary>How long the last queued bytes may take to go out when the connection ends.</summary>
    public long FlushTimeout { get; init; } = 5_000_000;

    /// <summary>How long the end of the peer's stream is awaited after this side ended its own, so that the last bytes are not lost to a reset.</summary>
    public long LingerTimeout { get; init; } = 1_000_000;

    /// <summary>What the peer may send of what is cheap to send.</summary>
    public BudgetLimits Budgets { get; init; } = BudgetLimits.None;

    /// <summary>What the connection shares with the others of its server; null where there are none.</summary>
    public SharedBudgets? Shared { get; init; }

    /// <summary>At an accepting side: who is let in, and what they may do. Null: everybody, and everything.</summary>
    public IAdmission? Admission { get; init; }

    /// <summary>At a dialing side: who it is. Null: nobody in particular.</summary>
    public ICredentialProvider? Credentials { get; init; }

    /// <summary>How long calls may still run that are open when the peer's credential expires.</summary>
    public long ExpiryGrace { get; init; } = 20_000_000;

    /// <summary>Who runs what must not run in place. A simulation runs it itself, in an order it can repeat.</summary>
    public WorkQueue Work { get; init; } = WorkQueue.OfProcess;

    /// <summary>Bytes of the longest message that this side takes.</summary>
    /// <param name="method">Whose message it is; null for one that is not known here.</param>
    public int MaxMessageOf(MethodDescriptor? method) => method?.Choices.MaxMessageBytes is > 0 and var own ? Math.Min(own, Local.MaxMessage) : Local.MaxMessage;
}
