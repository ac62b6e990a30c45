using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// State of a drain (PROTOCOL.md section 7.1): which side accepts no further calls, and how long this side waits for the peer and for open calls. Pure; guarded
/// by the connection's lock.
/// </summary>
internal sealed class Drain
{
    private long _acknowledgeDue = Clock.Never;
    private long _peerIdleDue = Clock.Never;

    /// <summary>True if this side accepts no further calls and waits for the open ones.</summary>
    public bool IsLocal { get; private set; }

    /// <summary>True if the peer has seen the drain: a new REQUEST from it is now a protocol error.</summary>
    public bool IsAcknowledged { get; private set; }

    /// <summary>True if the peer accepts no further calls: this side opens none.</summary>
    public bool IsPeer { get; private set; }

    /// <summary>True if this side is done with the connection and leaves its end to the peer: this side ends it only if the peer does not.</summary>
    public bool IsLeftToPeer { get; private set; }

    /// <summary>True if the peer is done with the connection, makes no more calls, and leaves the end to this side.</summary>
    public bool IsLeftByPeer { get; private set; }

    /// <summary>Time at which open calls are abandoned.</summary>
    public long GraceDue { get; private set; } = Clock.Never;

    /// <summary>Time at which <see cref="OnTick"/> has something to do.</summary>
    public long Due => Math.Min(Math.Min(_acknowledgeDue, _peerIdleDue), GraceDue);

    /// <summary>True if this side ends the connection once no call is open: the acknowledgement arrived or is no longer awaited.</summary>
    public bool IsSettled => IsLocal && !IsLeftToPeer && (IsAcknowledged || _acknowledgeDue == Clock.Never);

    /// <summary>True if the peer, whose turn it is to end the connection, has kept it open without calls for too long.</summary>
    public bool IsPeerOverdue { get; private set; }

    /// <summary>Starts the drain of this side.</summary>
    /// <param name="acknowledgeDue">Time from which the acknowledgement is no longer awaited.</param>
    /// <param name="graceDue">Time at which open calls are abandoned.</param>
    /// <param name="leavesEnd">True if the peer is asked to end the connection.</param>
    /// <returns>False if it had started before; then the call can only shorten the grace.</returns>
    public bool BeginLocal(long acknowledgeDue, long graceDue, bool leavesEnd = false)
    {
        GraceDue = Math.Min(GraceDue, graceDue);
        if (IsLocal) return false;
        IsLocal = true;
        IsLeftToPeer = leavesEnd;
        _acknowledgeDue = acknowledgeDue;
        return true;
    }

    /// <summary>Handles the peer's acknowledgement.</summary>
    /// <returns>False if there was nothing to acknowledge.</returns>
    public bool Acknowledge()
    {
        if (!IsLocal || IsAcknowledged) return false;
        IsAcknowledged = true;
        _acknowledgeDue = Clock.Never;
        return true;
    }

    /// <summary>Handles the start of the peer's drain.</summary>
    /// <param name="leavesEnd">True if the peer asks this side to end the connection.</param>
    /// <returns>False if it had started before.</returns>
    public bool BeginPeer(bool leavesEnd = false)
    {
        if (IsPeer) return false;
        IsPeer = true;
        IsLeftByPeer = leavesEnd;
        return true;
    }

    /// <summary>Starts to wait until the peer ends the connection: no call is open.</summary>
    /// <returns>The end of the wait.</returns>
    public long AwaitPeer(long now, long timeout)
    {
        if (_peerIdleDue == Clock.Never && !IsPeerOverdue) _peerIdleDue = Clock.After(now, timeout);
        return _peerIdleDue;
    }

    /// <summary>Notes what is overdue. A peer with open calls is not: the wait starts again when they are answered.</summary>
    public void OnTick(long now, bool callsOpen)
    {
        if (_acknowledgeDue <= now) _acknowledgeDue = Clock.Never;
        if (_peerIdleDue > now) return;
        _peerIdleDue = Clock.Never;
        IsPeerOverdue = !callsOpen;
    }
}
