namespace Mux.Engine;

/// <summary>The place of an <see cref="OutgoingCall"/>: Outside -> Waiting -> Open -> Outside, where Waiting and Open may be skipped.</summary>
internal enum CallPlace : byte
{
    /// <summary>In no connection: before it is handed over, between two connections, or done.</summary>
    Outside,

    /// <summary>In the queue of a connection: its request is encoded but not appended.</summary>
    Waiting,

    /// <summary>Its REQUEST is appended, and it has a slot.</summary>
    Open,
}
