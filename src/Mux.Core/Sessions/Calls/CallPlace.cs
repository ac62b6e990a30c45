namespace Mux.Sessions.Calls;

/// <summary>Where an <see cref="OutgoingCall"/> is. Outside -> Waiting -> Open -> Outside, leaving out any of the middle.</summary>
internal enum CallPlace : byte
{
    /// <summary>With no connection: before it is handed over, between two connections, or done.</summary>
    Outside,

    /// <summary>In the queue of a connection, its request encoded but not appended.</summary>
    Waiting,

    /// <summary>Its REQUEST is appended; it has a slot.</summary>
    Open,
}
