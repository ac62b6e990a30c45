namespace Mux.Sessions.Calls;

/// <summary>Takes the time of a call, from its start to its outcome.</summary>
internal interface ICallTimer
{
    /// <summary>The attempt is over. On any thread.</summary>
    /// <param name="ticket">The ticket of the call: <see cref="OutgoingCall.TimerTicket"/>.</param>
    /// <param name="sequence">The place of the call: <see cref="OutgoingCall.Sequence"/>.</param>
    /// <param name="replied">True if the peer has answered it, by a reply or a failure of its handler.</param>
    void End(int ticket, long sequence, bool replied);
}
