using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Whether a connection has windows for one more stream: one here for its responses, and those that it takes at the peer, which says in HELLO how many it has.
/// A stream without them waits while the pool of the connection may get a further one, as a call does that finds no slot; otherwise it is refused in words.
/// </summary>
/// <remarks>Guarded by the connection's lock, except where stated.</remarks>
internal sealed class StreamRoom(Session session)
{
    private int _limit = int.MaxValue; // of the windows at the peer
    private int _most = 1; // that a stream takes there
    private int _taken;

    /// <summary>True if a stream in both directions would find no windows. Any thread; may be off by streams that just begin or end.</summary>
    public bool IsFull => Volatile.Read(ref _taken) + _most > _limit || LacksOwn;

    private bool LacksOwn => session.StreamBudget.Used + session.Options.Local.StreamCredit > session.StreamBudget.Limit;

    /// <summary>Applies the peer's limits.</summary>
    public void OpenLocked(PeerSettings peer)
    {
        session.AssertLocked();
        if (peer.StreamWindows > 0) _limit = peer.StreamWindows;
        if (peer.ReadsKeys) _most = 2; // a gateway has one for the responses, too
    }

    /// <summary>True if a call waits for windows: its connection has none for it, and another one may be dialed. Bound calls never wait.</summary>
    public bool IsAwaitedLocked(OutgoingCall call)
    {
        session.AssertLocked();
        if (call.Bound is not null || !call.Called.HasStreams || session.Options.Load is not { IsGrowing: true }) return false;
        if (call is not OutgoingStreamCall streams) return false;
        return _taken + CostOf(streams) > _limit || (streams is { HasResponseStream: true, ReservesWindow: true } && LacksOwn);
    }

    /// <summary>Opens the streams of a call whose request is being appended.</summary>
    public void OpenLocked(OutgoingStreamCall call, MuxCallPriority priority)
    {
        session.AssertLocked();
        call.OpenStreamsLocked(session, priority);
        call.WindowsAtPeer = CostOf(call);
        Volatile.Write(ref _taken, _taken + call.WindowsAtPeer);
    }

    /// <summary>Ends the streams of a call that is over. May be called again.</summary>
    public void EndLocked(OutgoingStreamCall call)
    {
        session.AssertLocked();
        call.EndStreams();
        Volatile.Write(ref _taken, _taken - call.WindowsAtPeer);
        call.WindowsAtPeer = 0;
    }

    private int CostOf(OutgoingStreamCall call) => Math.Min((call.HasRequestStream ? 1 : 0) + (call.HasResponseStream ? _most - 1 : 0), _most);
}
