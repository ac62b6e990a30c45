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
