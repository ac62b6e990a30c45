namespace Mux;

/// <summary>How far a call had come when it failed.</summary>
public enum MuxCallPhase
{
    /// <summary>Turning the request into bytes, or checking it against the limits, before anything was queued.</summary>
    Encode = 0,

    /// <summary>Waiting for a connection to be established.</summary>
    Connect = 1,

    /// <summary>Waiting in this process for its turn to be sent.</summary>
    Queue = 2,

    /// <summary>Sent, waiting for the reply.</summary>
    Wait = 3,

    /// <summary>Refused by the peer before its handler started.</summary>
    Dispatch = 4,

    /// <summary>Running in the peer's handler.</summary>
    Handler = 5,

    /// <summary>Turning the reply into an object.</summary>
    Decode = 6,
}
