using Mux.Connections;
using Mux.Execution;
using Mux.Sessions.Calls;
using Mux.Sessions.Incoming;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Transports;

namespace Mux.Endpoints;

/// <summary>
/// A connection of a pool and what the pool remembers of it, guarded by the pool's lock. Passes on to the pool what it hears of the connection.
/// </summary>
internal sealed class PooledConnection : IConnectionOwner
{
    /// <summary>
    /// Calls that continuations start in turns between two looks at the other connections' loads: a look at ten costs 60 ns, and between two of them loads
    /// drift apart by this much at most.
    /// </summary>
    private const int CallsPerLook = 16;

    // The turn's.
    private int _callsUntilLook;
    private int _stayUpTo;

    public PooledConnection(ConnectionPool pool, PoolSlot slot, ChannelSettings settings)
    {
        Pool = pool;
        Slot = slot;
        Connection = new Connection(
            CreateLink(settings), OptionsOf(settings.Connection, slot), this, NoMethods.Instance, settings.Calls.Clock, accepting: false, pool.Endpoint);
    }

    public ConnectionPool Pool { get; }

    public PoolSlot Slot { get; }

    public Connection Connection { get; }

    /// <summary>Whether a disposal of the channel waits for its release.</summary>
    public bool IsAwaited { get; set; } = true;

    /// <summary>Whether it has its slot still: only then does what becomes of it concern when the next one is dialed.</summary>
    public bool IsInSlot => Slot.Current == this;

    /// <summary>When it was opened, or <see cref="Clock.Never"/>.</summary>
    public long OpenedAt { get; set; } = Clock.Never;

    public bool IsOpen => OpenedAt != Clock.Never;

    /// <summary>Whether it was opened, or ended before.</summary>
    public bool IsSettled { get; set; }

    /// <summary>Whether the server answered a call on it.</summary>
    public bool HasReplies => Connection.Initiator.TurnTally.Total > 0;

    /// <summary>
    /// Whether it was worth dialing: then the server is back, and what follows a loss is a first dial again. To be open is not enough: a server may accept and
    /// close at once.
    /// </summary>
    public bool WasOfUse(long now) => IsOpen && (HasReplies || now - OpenedAt >= BackoffPolicy.UsefulAfter);

    /// <summary>Whether a continuation's next call stays here without a look at the other connections. Turn only.</summary>
    public bool TryStay() => --_callsUntilLook >= 0 && Connection.Initiator.Load <= _stayUpTo;

    /// <summary>A look at the others found <paramref name="load"/> the least of theirs, not less than here. Turn only.</summary>
    public void StayUpTo(int load) => (_callsUntilLook, _stayUpTo) = (CallsPerLook, load);

    void IConnectionOwner.OnOpened(Connection connection) => Pool.OnOpened(this);

    void IConnectionOwner.OnDraining(Connection connection, bool byPeer) => Pool.OnDraining(this, byPeer);

    void IConnectionOwner.OnWithdrawn(Connection connection, OutgoingCall call) => Pool.Owner.OnWithdrawn(call);

    void IConnectionOwner.OnUserCodeFailed(Connection connection, Exception error) => Pool.Owner.OnUserCodeFailed(error);

    void IConnectionOwner.OnBlocked(Connection connection, Placement? code, bool refused) => Pool.Owner.OnBlocked(code, refused);

    void IWorkOwner.OnStalled(WorkStall stall) => Pool.Owner.OnStalled(stall);

    void IConnectionOwner.OnEnded(Connection connection, ConnectionEnd end) => Pool.OnEnded(this, end);

    void IConnectionOwner.OnReleased(Connection connection) => Pool.OnReleased(this);

    private static ConnectionOptions OptionsOf(ConnectionOptions options, PoolSlot slot) =>
        slot.KeepAliveFactor == 1 || options.KeepAliveTime == Clock.Never ? options
            : options with { KeepAliveTime = Math.Min(options.KeepAliveTime, Clock.Never / PoolSlot.MaxKeepAliveFactor) * slot.KeepAliveFactor };

    private static Link CreateLink(ChannelSettings settings)
    {
        try
        {
            return settings.Transport.CreateLink(settings.Address);
        }
        catch (Exception error)
        {
            return new FailedLink(error); // the call that needs the link is not to blame: it fails as it would if the transport had failed to connect
        }
    }
}
