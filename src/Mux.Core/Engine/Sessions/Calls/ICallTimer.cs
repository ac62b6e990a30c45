namespace Mux.Engine;

/// <summary>Takes the time of a call, from its start to its outcome.</summary>
internal interface ICallTimer
{
    /// <summary>The attempt is over. On any thread.</summary>
    /// <param name="ticket">The ticket of the call: <see cref="OutgoingCall.TimerTicket"/>.</param>
    /// <param name="sequence">The place of the call: <see cref="OutgoingCall.Sequence"/>.</param>
    /// <param name="replied">True if the peer has answered it, by a reply or a failure of its handler.</param>
    void End(int ticket, long sequence, bool replied);

    /// <summary>
    /// A connection has given the call back: the peer has not seen it, and it is started again next. A timer that times this attempt alone ends; one that keeps
    /// the place of the call continues. On any thread, while nothing else has the call.
    /// </summary>
    /// <param name="ticket">The ticket of the call, which may become another one.</param>
    /// <param name="sequence">The place of the call.</param>
    /// <returns>True if it continues.</returns>
    bool TryKeep(ref int ticket, long sequence);
}
