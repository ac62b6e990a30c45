using Mux.Timing;

namespace Mux.Sessions.Lifecycle;

/// <summary>
/// The ordered end of a connection (PROTOCOL.md section 7.1): who said that no further calls are taken, and until when the other side and the open calls are
/// waited for. Pure; guarded by the connection's lock.
/// </summary>
internal sealed class Drain
{
    private long _acknowledgeDue = Clock.Never;
    private long _peerIdleDue = Clock.Never;

    /// <summary>This side takes no further calls and waits for those that are open.</summary>
    public bool IsLocal { get; private set; }

    /// <summary>The peer has seen it: a new REQUEST from it is a protocol error now.</summary>
    public bool IsAcknowledged { get; private set; }

    /// <summary>The peer takes no further calls: this side opens none.</summary>
    public bool IsPeer { get; private set; }

    /// <summary>When open calls are given up.</summary>
    public long GraceDue { get; private set; } = Clock.Never;

    /// <summary>When <see cref="OnTick"/> has something to do.</summary>
    public long Due => Math.Min(Math.Min(_acknowledgeDue, _peerIdleDue), GraceDue);

    /// <summary>Whether the acknowledgement came or is no longer waited for.</summary>
    public bool IsSettled => IsLocal && (IsAcknowledged || _acknowledgeDue == Clock.Never);

    /// <summary>Whether a peer that drains has kept an idle connection open for too long.</summary>
    public bool IsPeerOverdue { get; private set; }

    /// <summary>This side begins to drain.</summary>
    /// <returns>False if it did before; then only the grace may get shorter.</returns>
    public bool BeginLocal(long acknowledgeDue, long graceDue)
    {
        GraceDue = Math.Min(GraceDue, graceDue);
        if (IsLocal) return false;
        IsLocal = true;
        _acknowledgeDue = acknowledgeDue;
        return true;
    }

    /// <summary>The peer acknowledged.</summary>
    /// <returns>False if there was nothing to acknowledge.</returns>
    public bool Acknowledge()
    {
        if (!IsLocal || IsAcknowledged) return false;
        IsAcknowledged = true;
        _acknowledgeDue = Clock.Never;
        return true;
    }

    /// <summary>The peer began to drain.</summary>
    /// <returns>False if it did before.</returns>
    public bool BeginPeer()
    {
        if (IsPeer) return false;
        IsPeer = true;
        return true;
    }

    /// <summary>No call is open and the peer drains: it should end the connection soon.</summary>
    /// <returns>By when.</returns>
    public long AwaitPeer(long now, long timeout)
    {
        if (_peerIdleDue == Clock.Never && !IsPeerOverdue) _peerIdleDue = Clock.After(now, timeout);
        return _peerIdleDue;
    }

    /// <summary>Notes what is overdue. A peer whose calls are open is not; it is waited for anew when they are answered.</summary>
    public void OnTick(long now, bool callsOpen)
    {
        if (_acknowledgeDue <= now) _acknowledgeDue = Clock.Never;
        if (_peerIdleDue > now) return;
        _peerIdleDue = Clock.Never;
        IsPeerOverdue = !callsOpen;
    }
}
