using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>Options of a connection, fixed when it is created. Times are in microseconds.</summary>
internal sealed record ConnectionOptions
{
    /// <summary>Limits and name that this side announces.</summary>
    public PeerSettings Local { get; init; } = PeerSettings.Default;

    /// <summary>Unsent bytes above which calls wait and new requests are parked.</summary>
    public long UnsentLimit { get; init; } = 1024 * 1024;

    /// <summary>Unsent bytes of large messages and streams above which they wait. They have their own queue.</summary>
    public long BulkUnsentLimit { get; init; } = 16 * 1024 * 1024;

    /// <summary>Most bytes of calls that wait to be sent. Each is charged its body and <c>CallQueue.CallCharge</c>.</summary>
    public long WaitingLimit { get; init; } = 32 * 1024 * 1024;

    /// <summary>Most bytes of requests parked while the peer does not read its replies; further requests are refused.</summary>
    public long ParkedLimit { get; init; } = 1024 * 1024;

    /// <summary>Most bytes that the streams of the connection may make this side hold: the sum of their windows.</summary>
    public long StreamLimit { get; init; } = 128 * 1024 * 1024;

    /// <summary>Most bytes of incomplete large messages, and of unread items beyond the windows of their streams.</summary>
    public long ReassemblyLimit { get; init; } = 64 * 1024 * 1024;

    /// <summary>Most bytes of large messages in transit to this side: the bulk credit grows up to this.</summary>
    public long BulkLimit { get; init; } = 4 * 1024 * 1024;

    /// <summary>Bytes of requests with running handlers above which further ones are parked. Small requests do not count: see <c>Acceptor</c>.</summary>
    public long RunningLimit { get; init; } = 64 * 1024 * 1024;

    /// <summary>Longest time for a request of the peer, whatever deadline it carries.</summary>
    public long MaxDeadline { get; init; } = Clock.Never;

    /// <summary>Longest time from the start of the link to the peer's HELLO.</summary>
    public long HandshakeTimeout { get; init; } = 10_000_000;

    /// <summary>Silence after which a PING is sent while calls are open.</summary>
    public long KeepAliveTime { get; init; } = Clock.Never;

    /// <summary>Longest time for the answer to a PING.</summary>
    public long KeepAliveTimeout { get; init; } = 15_000_000;

    /// <summary>Time without calls after which the connection ends.</summary>
    public long IdleTimeout { get; init; } = Clock.Never;

    /// <summary>Age in microseconds at which this side drains the connection, give or take a tenth; or <see cref="Clock.Never"/>.</summary>
    public long MaxAge { get; init; } = Clock.Never;

    /// <summary>Longest time for which the link may accept no bytes while some wait, and longest time for the peer to finish a frame.</summary>
    public long StallTimeout { get; init; } = 30_000_000;

    /// <summary>
    /// Longest wait for the peer to acknowledge a drain, after which it counts as acknowledged. Also the longest wait of a drained connection for the peer to
    /// end it.
    /// </summary>
    public long DrainAcknowledgeTimeout { get; init; } = 5_000_000;

    /// <summary>Longest time for the last queued bytes to go out when the connection ends.</summary>
    public long FlushTimeout { get; init; } = 5_000_000;

    /// <summary>Longest wait for the end of the peer's stream after this side ended its own, so that a reset does not lose the last bytes.</summary>
    public long LingerTimeout { get; init; } = 1_000_000;

    /// <summary>Budgets for frames that are cheap to send.</summary>
    public BudgetLimits Budgets { get; init; } = BudgetLimits.None;

    /// <summary>Budgets shared by all connections of the server; null on other connections.</summary>
    public SharedBudgets? Shared { get; init; }

    /// <summary>Decides on an accepting side which peers are admitted, and what they may do. Null: all peers may do everything.</summary>
    public IAdmission? Admission { get; init; }

    /// <summary>The credentials of a dialing side. Null: it connects anonymously.</summary>
    public ICredentialProvider? Credentials { get; init; }

    /// <summary>
    /// Gets on a dialing side what the server may call, from the identity in its verified certificate or null. Null: it may call everything that is served.
    /// </summary>
    public Func<PeerIdentity?, PeerAccess>? ServerAccess { get; init; }

    /// <summary>Longest time for which open calls may still run when the peer's credential expires.</summary>
    public long ExpiryGrace { get; init; } = 20_000_000;

    /// <summary>Is told that the connection is used. Null: nothing depends on it.</summary>
    public LoadWatch? Load { get; init; }

    /// <summary>Runs work that must not run in place. A simulation runs it itself, in a repeatable order.</summary>
    public WorkQueue Work { get; init; } = WorkQueue.OfProcess;

    /// <summary>The pool whose threads leave sends to each other (<see cref="PoolSend"/>). Null: each thread sends what it appended.</summary>
    public IPoolQueue? Pool { get; init; }

    /// <summary>Gets the longest message that this side accepts, in bytes.</summary>
    /// <param name="method">The method of the message; null if it is not known here.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int MaxMessageOf(MethodDescriptor? method) => MaxMessageOf(method?.Choices.MaxMessageBytes ?? 0);

    /// <inheritdoc cref="MaxMessageOf(MethodDescriptor?)"/>
    /// <param name="own">What the contract says: <see cref="MethodChoices.MaxMessageBytes"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int MaxMessageOf(int own) => own > 0 ? Math.Min(own, Local.MaxMessage) : Local.MaxMessage;
}
