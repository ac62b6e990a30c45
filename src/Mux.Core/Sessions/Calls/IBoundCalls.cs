namespace Mux.Sessions.Calls;

/// <summary>The calls that belong to one connection. No method of it is called under a lock.</summary>
internal interface IBoundCalls
{
    /// <summary>
    /// What is told of room when a call has found none: then the call fails with a failure that is not counted, and may be handed over again. Null for calls
    /// that fail for good, which are counted. Read under the connection's lock.
    /// </summary>
    IRoomWatch? Room => null;

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
