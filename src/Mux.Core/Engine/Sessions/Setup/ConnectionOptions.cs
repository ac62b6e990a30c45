using System.Runtime.CompilerServices;
using System.Security.Claims;
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

/// <summary>
/// Watches the load of connections while they are used, and sleeps while they are not: an idle process has no timers. Connections wake it when they send, which
/// costs one comparison for each send to a link. Safe for concurrent use.
/// </summary>
internal abstract class LoadWatch
{
    private volatile bool _isAwake;
    private volatile bool _isAsked = true; // nothing is asked before the first look allows it
    private volatile bool _isGrowing = true;

    /// <summary>True if a further connection may be dialed now, or is being dialed: calls may wait for it. Any thread.</summary>
    public bool IsGrowing => _isGrowing;

    /// <summary>A connection has sent something. Any thread, no lock held.</summary>
    public void OnSent()
    {
        if (!_isAwake) Wake();
    }

    /// <summary>
    /// A call waits, because as many are open as the peer allows, or a stream because it has no windows. Any thread, under the connection's lock.
    /// </summary>
    public void OnLimit()
    {
        if (_isAsked) return; // many calls may wait, and one look serves them all
        _isAsked = true;
        LookSoon();
    }

    /// <summary>Starts to look, unless it does already.</summary>
    protected abstract void Wake();

    /// <summary>Looks as soon as possible. Must take no lock under which a connection is used.</summary>
    protected abstract void LookSoon();

    /// <summary>Notes if <see cref="OnSent"/> has something to do.</summary>
    protected void SetAwake(bool isAwake) => _isAwake = isAwake;

    /// <summary>Sets <see cref="IsGrowing"/>.</summary>
    protected void SetGrowing(bool isGrowing) => _isGrowing = isGrowing;

    /// <summary>Lets the next <see cref="OnLimit"/> ask for a look, or none.</summary>
    protected void SetAsked(bool isAsked) => _isAsked = isAsked;
}

/// <summary>Says what an admitted peer may do. Immutable; safe for concurrent use.</summary>
internal abstract class PeerAccess
{
    /// <summary>The user that the peer authenticated as; null if it is anonymous.</summary>
    public abstract ClaimsPrincipal? User { get; }

    /// <summary>Time at which the access expires; null if it does not.</summary>
    public abstract DateTimeOffset? ExpiresAt { get; }

    /// <summary>True if the peer may call a method. No user code runs, and nothing is logged.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    public abstract bool Allows(MethodDescriptor method, bool isExpired);

    /// <summary>True if the peer may forward a call of a method for a caller. May run user code, and nothing is logged.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="caller">The caller, as the handler of a forwarded call sees it; null if it is anonymous.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    public virtual bool AllowsForwarded(MethodDescriptor method, ClaimsPrincipal? caller, bool isExpired) => Allows(method, isExpired);

    /// <summary>Decides about a call that the peer makes. No user code runs.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied.</returns>
    public abstract MuxStatus Judge(MethodDescriptor method, bool isExpired);

    /// <summary>True if the peer is a gateway that this side lets name the callers of the requests that it forwards.</summary>
    public virtual bool IsGateway => false;

    /// <summary>Gets the caller of a forwarded request. In the turn.</summary>
    /// <param name="metadata">The block of metadata that came with the request.</param>
    /// <returns>The caller; null if the gateway names none, or the peer is no gateway that is believed.</returns>
    public virtual ForwardedCaller? FindCaller(ReadOnlySpan<byte> metadata) => null;

    /// <summary>Decides about a request that the peer has forwarded as a gateway. No user code runs.</summary>
    /// <param name="method">A method that anonymous callers may not call.</param>
    /// <param name="caller">See <see cref="FindCaller"/>.</param>
    /// <param name="isExpired">True if the access has expired.</param>
    /// <returns>Ok, Unauthenticated or PermissionDenied; null if user code decides: <see cref="ForwardedCaller.Decide"/>.</returns>
    public virtual MuxStatus? JudgeForwarded(MethodDescriptor method, ForwardedCaller? caller, bool isExpired) => Judge(method, isExpired);
}

/// <summary>A caller as a gateway that is believed names it. Safe for concurrent use.</summary>
internal abstract class ForwardedCaller
{
    /// <summary>The user: the name, the roles and the claims that the gateway passes on.</summary>
    public abstract ClaimsPrincipal User { get; }

    /// <summary>
    /// False if the gateway does not know the roles and claims of the caller. Then no rule about them is met: "all but guests" would accept every
    /// caller.
    /// </summary>
    public abstract bool KnowsRoles { get; }

    /// <summary>Decides whether the caller may call a method, and remembers it. Runs user code: the policies of the server. Never throws.</summary>
    /// <param name="method">A method that this side has.</param>
    /// <returns>Ok or PermissionDenied.</returns>
    public abstract MuxStatus Decide(MethodDescriptor method);
}

/// <summary>A credential to send, and the proof that the peer must show when it accepts it.</summary>
/// <param name="Payload">Payload of AUTH. Wiped after it was sent.</param>
/// <param name="ExpectedProof">32 bytes; empty if the scheme has no proof.</param>
internal readonly record struct ShownCredential(byte[] Payload, byte[] ExpectedProof);

/// <summary>The decision of <see cref="IAdmission"/> about a peer.</summary>
/// <param name="Access">What the peer may do; null if it may not stay.</param>
/// <param name="Reason">The reason of a rejection, only for this side's log.</param>
internal readonly record struct Admittance(PeerAccess? Access, string Reason)
{
    /// <summary>True if there is no decision: time ran out, or the authenticator failed. The peer is not at fault.</summary>
    public bool IsUndecided { get; init; }

    /// <summary>The proof that this side shows when it accepts the credential: 32 bytes, or empty if the scheme has none.</summary>
    public ReadOnlyMemory<byte> Proof { get; init; }
}

/// <summary>Decides which peers may connect to this side, as the user's options say. Implemented above this layer. Safe for concurrent use.</summary>
internal interface IAdmission
{
    /// <summary>Names of the schemes in a challenge.</summary>
    IReadOnlyList<string> Schemes { get; }

    /// <summary>True if the identity that the link gives to the peer is sufficient, so that no credential is asked for.</summary>
    bool TakesIdentityOfLink { get; }

    /// <summary>Decides about a peer. Runs user code, on a worker thread. Never throws, and ends within a bounded time whatever user code does.</summary>
    /// <param name="evidence">What is known of the peer; wiped when it is no longer used.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    Task<Admittance> DecideAsync(PeerEvidence evidence, CancellationToken ending);
}

/// <summary>The evidence for one decision: either a credential or an identity.</summary>
/// <param name="RemoteAddress">Address of the peer.</param>
/// <param name="Credential">The payload of the peer's AUTH; empty for an identity. Owned by this decision.</param>
/// <param name="Nonce">The nonce that the AUTH answers.</param>
/// <param name="Identity">The identity that the link gives to the peer.</param>
internal sealed record PeerEvidence(string RemoteAddress, byte[] Credential, byte[] Nonce, PeerIdentity? Identity)
{
    /// <summary>Names the peer in logs.</summary>
    public string Place { get; init; } = RemoteAddress;

    /// <summary>Channel binding of the link.</summary>
    public ReadOnlyMemory<byte> ChannelBinding { get; init; }

    /// <summary>True if the peer was admitted before and renews its credential.</summary>
    public bool Renews { get; init; }
}

/// <summary>Provides the credentials of this side, as the user's options say. Implemented above this layer. Safe for concurrent use.</summary>
internal interface ICredentialProvider
{
    /// <summary>The reason why this side ends a connection to a peer that did not ask for its credential; null if it stays.</summary>
    string? WhyNotUnasked { get; }

    /// <summary>Gets the reason why this side does not connect: its credential could be read on the way. Null if it connects. Never throws.</summary>
    /// <param name="remoteAddress">Remote address of the link, empty if it reports none; null before it is started.</param>
    /// <param name="isEncrypted">True if the link is known to be encrypted.</param>
    string? WhyWithheld(string? remoteAddress, bool isEncrypted);

    /// <summary>Makes a credential. Runs user code, on a worker thread.</summary>
    /// <param name="schemes">The schemes that the peer accepts; empty when a credential is renewed.</param>
    /// <param name="nonce">The peer's nonce, which the credential must answer.</param>
    /// <param name="channelBinding">The channel that the credential may be bound to; empty on a link that is not encrypted.</param>
    /// <param name="ending">Cancelled when the connection is over.</param>
    /// <returns>The payload of AUTH, which the caller wipes, and the proof expected from the peer.</returns>
    /// <exception cref="Exception">There is no credential; the message says why.</exception>
    Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending);
}
