namespace Mux.Sessions.Calls;

/// <summary>The calls that belong to one connection. No member is called under a lock.</summary>
internal interface IBoundCalls
{
    /// <summary>The failure of a call that finds no place, if its caller does not read why; null for one that says it.</summary>
    CallFailure? NoPlace => null;

    /// <summary>Gives back a call that the connection has not sent and cannot send any more. It fails, and is counted.</summary>
    /// <param name="call">The call, whose request is to be released.</param>
    /// <param name="failure">Why it was not sent; null if the end of the connection says it.</param>
    void OnUnsent(OutgoingCall call, CallFailure? failure);
}
