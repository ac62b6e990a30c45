using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>A connection of a pool with the pool's own state of it, guarded by the pool's lock. Passes the connection's events to the pool.</summary>
internal sealed class PooledConnection : IConnectionOwner
{
    private SampleGate _samples;
    private TurnStay _stay; // owned by the turn

    public PooledConnection(ConnectionPool pool, PoolSlot slot, ChannelSettings settings)
    {
        Pool = pool;
        Slot = slot;
        Connection = new Connection(
            FailedLink.OrLinkOf(settings), OptionsOf(settings.Connection, slot), this, settings.Methods, settings.Calls.Clock, accepting: false,
            pool.Endpoint);
    }

    public ConnectionPool Pool { get; }

    public PoolSlot Slot { get; }

    public Connection Connection { get; }

    /// <summary>True if a disposal of the channel waits for its release.</summary>
    public bool IsAwaited { get; set; } = true;

    /// <summary>True while it has its slot: only then does its end affect when the next one is dialed.</summary>
    public bool IsInSlot => Slot.Current == this;

    /// <summary>Time at which it opened, or <see cref="Clock.Never"/>.</summary>
    public long OpenedAt { get; set; } = Clock.Never;

    public bool IsOpen => OpenedAt != Clock.Never;

    /// <summary>
    /// True if this thread would receive the peer's part of a drain, and no call needs one. A host that is disposed synchronously in the continuation of a call
    /// blocks this thread: the drain would wait for the thread, and the thread for the drain.
    /// </summary>
    public bool CanEndInOwnTurn => Turn.IsOwner(Connection) && Connection.Initiator.Load == 0 && Connection.RequestCounts.OpenCount == 0;

    /// <summary>True if it has opened, or ended before.</summary>
    public bool IsSettled { get; set; }

    /// <summary>True if the owner has no use for it: the next dial is paused as after one in vain.</summary>
    public bool IsGivenUp { get; set; }

    /// <summary>True if the server has answered a call on it.</summary>
    public bool HasReplies => Connection.Initiator.TurnTally.Total > 0;

    /// <summary>Says which of its calls are timed, for routes with several endpoints.</summary>
    public ref SampleGate Samples => ref _samples;

    /// <summary>Number of calls that have ended on it. Any thread.</summary>
    public long Completed => Connection.Initiator.TurnTally.Total + Connection.Initiator.LockedTally.Total;

    /// <summary>
    /// True if it was worth dialing: then the server is back, and a loss begins with a first dial again. Being open is not enough: a server may accept and
    /// close at once.
    /// </summary>
    public bool WasOfUse(long now) => IsOpen && !IsGivenUp && (HasReplies || now - OpenedAt >= BackoffPolicy.UsefulAfter);

    /// <summary>True if a continuation's next call stays here without comparing other connections. Turn only.</summary>
    public bool TryStay() => _stay.TryTake() && _stay.Covers(Connection.Initiator.Load);

    /// <summary>Notes a comparison: <paramref name="load"/> is the least of the others, and not less than here. Turn only.</summary>
    public void StayUpTo(int load) => _stay.UpTo(load);

    void IConnectionOwner.OnOpened(Connection connection)
    {
        Pool.OnOpened(this);
        Pool.Settings.Kept?.OnOpened(connection);
    }

    void IConnectionOwner.OnDraining(Connection connection, bool byPeer)
    {
        if (!byPeer) connection.Pushed.End();
        Pool.OnDraining(this, byPeer);
        Pool.Settings.Kept?.OnLeft(connection);
    }

    MuxPeer IConnectionOwner.CreateCaller(Connection connection) => new ConnectionPeer(connection, Pool.Settings.Callers);

    void IConnectionOwner.OnLease(Connection connection, in LeaseFrame lease) => Pool.Owner.OnLease(this, lease);

    void IConnectionOwner.OnWithdrawn(Connection connection, OutgoingCall call) => Pool.Owner.OnWithdrawn(call);

    bool IConnectionOwner.TakesUnsentCalls => Pool.Owner.TakesUnsentCalls;

    void IConnectionOwner.OnUnsent(Connection connection, OutgoingCall call, CallFailure failure) => Pool.Owner.OnUnsent(call, failure);

    void IConnectionOwner.OnUserCodeFailed(Connection connection, Exception error) => Pool.Owner.OnUserCodeFailed(error);

    void IConnectionOwner.OnCallbackFailed(Connection connection, MethodDescriptor method, string callback, Exception error) =>
        Pool.Owner.OnCallbackFailed(method, callback, error);

    void IConnectionOwner.OnContractDiffers(Connection connection, MethodDescriptor method, string messages) =>
        Pool.Owner.OnContractDiffers(method, messages);

    void IConnectionOwner.OnBlocked(Connection connection, Placement? code, bool refused) => Pool.Owner.OnBlocked(code, refused);

    void IWorkOwner.OnStalled(WorkStall stall) => Pool.Owner.OnStalled(stall);

    void IConnectionOwner.OnEnded(Connection connection, ConnectionEnd end)
    {
        if (connection.KnownCaller is ConnectionPeer peer) peer.OnEnded(end.Reason.ToString());
        Pool.OnEnded(this, end);
        Pool.Settings.Kept?.OnLeft(connection);
    }

    void IConnectionOwner.OnReleased(Connection connection) => Pool.OnReleased(this);

    private static ConnectionOptions OptionsOf(ConnectionOptions options, PoolSlot slot) => slot.KeepAliveFactor == 1 || options.KeepAliveTime == Clock.Never
        ? options
        : options with { KeepAliveTime = Math.Min(options.KeepAliveTime, Clock.Never / PoolSlot.MaxKeepAliveFactor) * slot.KeepAliveFactor };
}

/// <summary>A slot of a pool for one connection. Guarded by the pool's lock, except <see cref="Current"/>, which may be read without it.</summary>
internal sealed class PoolSlot(int index)
{
    /// <summary>Turns a second into a quarter of an hour; no server asks for more.</summary>
    public const int MaxKeepAliveFactor = 1024;

    private PooledConnection? _current;

    /// <summary>Tells the slot from others of the pool, also from earlier ones.</summary>
    public int Index => index;

    /// <summary>The connection for calls of this slot, or null: the next call dials.</summary>
    public PooledConnection? Current
    {
        get => Volatile.Read(ref _current);
        set => Volatile.Write(ref _current, value);
    }

    /// <summary>True while it is one more than the pool had, and none of its connections has lasted: the others serve, so a dial in vain is no fault.</summary>
    public bool IsTrial { get; set; }

    /// <summary>A connection of the slot that was open has ended.</summary>
    /// <returns>True if it was on trial, and lasted for less than a trial: as if the dial had failed.</returns>
    public bool EndTrial(long openedAt, long now)
    {
        if (now - openedAt >= PoolGrowth.TrialTime) IsTrial = false;
        return IsTrial;
    }

    /// <summary>True if the server drained the last connection within <see cref="BackoffPolicy.UsefulAfter"/>.</summary>
    public bool WasBrief { get; set; }

    /// <summary>Multiplies the channel's keep-alive time. Doubled each time a server rejects the PINGs as too frequent.</summary>
    public int KeepAliveFactor { get; set; } = 1;

    /// <summary>Counts the calls that have ended on the connections that have slots. Any thread; asked ten times a second for each endpoint.</summary>
    public static long CountCompleted(PoolSlot[] slots)
    {
        long completed = 0;
        foreach (var slot in slots) completed += slot.Current?.Completed ?? 0;
        return completed;
    }
}

/// <summary>Receives what a pool's connections report of calls and user code. Its members are called outside the pool's lock, on any thread.</summary>
internal interface IPoolOwner : IWorkOwner
{
    /// <summary>A connection is open: calls may run on it. The pool has noted it.</summary>
    void OnOpened(PooledConnection pooled);

    /// <summary>
    /// A connection takes no more calls, or was never established. Called when it drains and when it has ended, which may be the first.
    /// </summary>
    /// <param name="pooled">The connection.</param>
    /// <param name="end">How it ended; null while it drains.</param>
    void OnLeft(PooledConnection pooled, ConnectionEnd? end);

    /// <summary>A connection gives back a call that it has not sent. The call must be started again, on this pool or another one.</summary>
    void OnWithdrawn(OutgoingCall call);

    /// <summary>Calls of the channel that have failed because no server answered them. Any thread.</summary>
    long FailedCalls => 0;

    /// <summary>
    /// The least pause, in microseconds, after a failed dial: an owner of many pools has them take turns. Called under the pool's lock.
    /// </summary>
    long LeastDialPause => 0;

    /// <inheritdoc cref="IConnectionOwner.TakesUnsentCalls"/>
    bool TakesUnsentCalls => false;

    /// <inheritdoc cref="IConnectionOwner.OnUnsent"/>
    void OnUnsent(OutgoingCall call, CallFailure failure) => OnWithdrawn(call);

    /// <summary>
    /// The server of a connection said how many calls it takes and how busy it is. The connection itself keeps to the number: until the lease is over or
    /// replaced, further calls wait in it. A server that takes none is about to stop and still serves what comes; the owner sends calls to others, if there are
    /// any. On the thread that receives, which must not wait.
    /// </summary>
    void OnLease(PooledConnection pooled, in LeaseFrame lease)
    {
        // Of use to an owner that chooses between endpoints.
    }

    /// <summary>Reports an exception of user code that no caller awaits.</summary>
    void OnUserCodeFailed(Exception error);

    /// <summary>A callback that is a parameter of a call of this side threw.</summary>
    void OnCallbackFailed(MethodDescriptor method, string callback, Exception error) => OnUserCodeFailed(error);

    /// <summary>A method has other messages at the server: see <see cref="IConnectionOwner.OnContractDiffers"/>.</summary>
    void OnContractDiffers(MethodDescriptor method, string messages);

    /// <summary>User code blocked a receiving thread.</summary>
    /// <param name="code">The code, if it is known.</param>
    /// <param name="refused">True if no thread replaces it, because the most allowed are running.</param>
    void OnBlocked(Placement? code, bool refused);
}
