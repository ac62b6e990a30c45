namespace Mux.Engine;

/// <summary>The calls that belong to one connection. No method of it is called under a lock.</summary>
internal interface IBoundCalls
{
    /// <summary>What is told of room when a call has found none. Read under the connection's lock.</summary>
    IRoomWatch Room { get; }

    /// <summary>The connection has no room for a call: it is untouched, and may be handed over again. Called by the thread that hands it over.</summary>
    /// <param name="call">The call.</param>
    /// <param name="body">Its request, unless that is large; valid only during this method.</param>
    void OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body);

    /// <summary>Gives back a call that the connection has not sent and cannot send any more. It fails, and is counted.</summary>
    /// <param name="call">The call, whose request is to be released.</param>
    /// <param name="failure">Why it was not sent; null if the end of the connection says it.</param>
    void OnUnsent(OutgoingCall call, CallFailure? failure);
}

/// <summary>Is told once that a connection has room for a call, after one has found none; or that it takes no calls any more.</summary>
internal interface IRoomWatch
{
    /// <summary>Called without locks, also in a turn: must not wait. Not called when the connection ends.</summary>
    void OnRoom();
}
