namespace Mux.Sessions.Budgets;

/// <summary>Whether a connection may hold more memory, and if not, what stands in the way.</summary>
internal enum MemoryVerdict
{
    Granted,

    /// <summary>The server holds as much as it may, or the connection its share of that.</summary>
    NoRoom,

    /// <summary>The connections of the peer's address hold as much as they may.</summary>
    NoRoomForAddress,
}
