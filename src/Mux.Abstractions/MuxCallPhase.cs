namespace Mux;

/// <summary>The phase in which a call failed.</summary>
public enum MuxCallPhase
{
    /// <summary>The request was being encoded or checked against the limits; nothing was queued.</summary>
    Encode = 0,

    /// <summary>The call was waiting for a connection.</summary>
    Connect = 1,

    /// <summary>The request was waiting in this process to be sent.</summary>
    Queue = 2,

    /// <summary>The request was sent, and the call was waiting for the reply.</summary>
    Wait = 3,

    /// <summary>The peer rejected the request before its handler started.</summary>
    Dispatch = 4,

    /// <summary>The peer's handler was running.</summary>
    Handler = 5,

    /// <summary>The reply was being decoded.</summary>
    Decode = 6,
}
