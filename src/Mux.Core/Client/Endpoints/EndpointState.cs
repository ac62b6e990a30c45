using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>One endpoint of a router: its connections, and what is known of it. Safe for concurrent use.</summary>
internal sealed class EndpointState : Candidate, IPoolOwner, ICallTimer
{
    /// <summary>
    /// Microseconds after which an endpoint that was open and cannot be reached counts as gone for <see cref="Subset"/>:
    /// while servers are restarted one after the other, clients keep their own.
    /// </summary>
    private const long RestartTime = 10_000_000;

    private readonly LeastLoadedChoice _choice;
    private readonly KeyedChoice _keyed;
    private volatile ConnectionEnd? _failure;
    private long _failedAt; // meaningful while there is a failure
    private long _lostAt = long.MinValue / 2; // long ago
    private int _isToldOpen; // 0 or 1

    public EndpointState(EndpointRouter router, MuxEndpoint endpoint, RouterSettings settings, MethodMeans means)
        : base(endpoint, settings.Balancing, means)
    {
        Router = router;
        Pool = new ConnectionPool(settings.SettingsOf(endpoint.Address), router.Ledger, this);
        _choice = new LeastLoadedChoice(Pool);
        _keyed = new KeyedChoice(Pool);
    }

    public EndpointRouter Router { get; }

    public ConnectionPool Pool { get; }

    /// <summary>The address, for failures and logs.</summary>
    public string Name => Pool.Endpoint;

    /// <summary>How the last dial failed while no connection was open; null if one was open since.</summary>
    public ConnectionEnd? Failure => _failure;

    /// <summary>True if a dial has failed at this time or later, and none has succeeded since.</summary>
    public bool HasFailedSince(long time) => _failure is not null && Volatile.Read(ref _failedAt) >= time;

    /// <summary>True if it was open within the last <see cref="EndpointTable.LongestRestart"/>. Any thread.</summary>
    public bool WasReachedLately(long now) => now - Volatile.Read(ref _lostAt) <= EndpointTable.LongestRestart;

    /// <summary>True if it was dialed in vain, and was not open within the last 10 s. Any thread.</summary>
    public bool IsGone(long now) => _failure is not null && !IsOpen && now - Volatile.Read(ref _lostAt) > RestartTime;

    /// <inheritdoc/>
    public override int Load => Pool.Load;

    /// <inheritdoc/>
    public override bool IsOpen => Pool.IsOpen;

    /// <inheritdoc/>
    public override long Completed => Pool.Completed;

    /// <summary>True if one of its connections is of use without calls: its server may hold on to it.</summary>
    public bool IsKept => Array.Exists(Pool.Slots, static slot => slot.Current?.Connection.IsKept == true);

    /// <summary>Notes that watchers are told that it is open, or that it is closed.</summary>
    /// <returns>False if they were told before.</returns>
    public bool TryTell(bool isOpen) => Interlocked.Exchange(ref _isToldOpen, isOpen ? 1 : 0) != (isOpen ? 1 : 0);

    /// <summary>Chooses the connection for the calls of a key. Null if the endpoint was removed.</summary>
    public PooledConnection? Choose(ulong key) => _keyed.Pick(key);

    /// <summary>Starts a call on one of its connections, or lets it wait for one that is dialed.</summary>
    /// <returns>False if the connection has just ended, or the endpoint was removed: the call is untouched.</returns>
    public bool TryStart(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (_choice.Pick(call) is not { Owner: PooledConnection pooled } connection) return false;
        // On a connection that is not open yet the call would time the dial, which says nothing about how fast the server answers.
        bool isTimed = pooled.Samples.IsDue(Router.Table.Now) && call.CanBeTimed && connection.State == ConnectionState.Open;
        return isTimed ? TryStartTimed(pooled, call, body) : connection.Initiator.TryStart(call, body);
    }

    void ICallTimer.End(int ticket, long sequence, bool replied) => Slowness.End(ticket, replied, Router.Clock.Now);

    bool ICallTimer.TryKeep(ref int ticket, long sequence)
    {
        Slowness.Drop(ticket);
        return false;
    }

    void IPoolOwner.OnOpened(PooledConnection pooled)
    {
        _failure = null;
        Router.OnOpened(this);
    }

    void IPoolOwner.OnLeft(PooledConnection pooled, ConnectionEnd? end)
    {
        // While others serve, one that cannot be dialed is no fault of the endpoint: it, or what is before it, takes no more connections.
        bool hasFailed = end is { IsOrderly: false }
            && (pooled.IsOpen || !Pool.IsOpen);
        if (hasFailed && !pooled.IsOpen)
        {
            Volatile.Write(ref _failedAt, Router.Clock.Now);
            _failure = end;
        }

        if (!Pool.IsOpen)
        {
            Hint.ForgetRefusals();
            Room.Forget();
            if (pooled.IsOpen) Volatile.Write(ref _lostAt, Router.Clock.Now);
        }

        Router.OnLeft(this, pooled, hasFailed ? end : null);
    }

    bool IPoolOwner.TakesUnsentCalls => true;

    long IPoolOwner.FailedCalls => Router.FailedCalls;

    long IPoolOwner.LeastDialPause => Router.Table.LeastDialPauseOf(this);

    void IPoolOwner.OnWithdrawn(OutgoingCall call) => Router.StartAgain(call);

    void IPoolOwner.OnUnsent(OutgoingCall call, CallFailure failure) => Router.OnUnsent(this, call, failure);

    void IPoolOwner.OnLease(PooledConnection pooled, in LeaseFrame lease)
    {
        long now = Router.Clock.Now, lasts = lease.LifetimeMilliseconds * Clock.MicrosecondsPerMillisecond;
        Hint.OnLease(lease.Utilisation / (double)LeaseFrame.MostUtilisation, lasts, now);
        bool takesNothing = lease.MaxOpenCalls == 0 && lasts > 0;
        int refused = takesNothing || lasts == 0 ? 0 : RefusedAt(lease.Level); // a server that stops has no level
        Hint.OnRefusals(takesNothing, refused, lasts, now);
        Router.OnLease(this, pooled, takesNothing);
    }

    void IPoolOwner.OnUserCodeFailed(Exception error) => Router.OnUserCodeFailed(error);

    void IPoolOwner.OnCallbackFailed(MethodDescriptor method, string callback, Exception error) => Router.OnCallbackFailed(method, callback, error);

    void IPoolOwner.OnContractDiffers(MethodDescriptor method, string messages) => Router.OnContractDiffers(Name, method, messages);

    void IPoolOwner.OnBlocked(Placement? code, bool refused) => Router.OnBlocked(code, refused);

    void IWorkOwner.OnStalled(WorkStall stall) => Router.OnStalled(stall);

    private static int RefusedAt(int level)
    {
        int refused = 0;
        for (var priority = MuxCallPriority.Normal; priority <= MuxCallPriority.Low; priority++)
        {
            if (AdmissionCut.RefusesAll(level, priority)) refused |= BitOf(priority);
        }

        return refused;
    }

    /// <summary>Starts a call whose time tells how slow the endpoint is: one per connection and 10 ms.</summary>
    private bool TryStartTimed(PooledConnection pooled, OutgoingCall call, ReadOnlySpan<byte> body)
    {
        int ticket = Slowness.TryBegin(ref pooled.Samples, call.Called.Index, Router.Clock.Now);
        if (ticket == Slowness.NotTimed) return pooled.Connection.Initiator.TryStart(call, body);
        (call.Timer, call.TimerTicket) = (this, ticket); // before the start: the call may be over when that returns
        if (pooled.Connection.Initiator.TryStart(call, body)) return true;
        call.Timer = null;
        Slowness.Drop(ticket);
        return false;
    }
}
