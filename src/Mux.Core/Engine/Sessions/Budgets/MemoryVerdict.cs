namespace Mux.Engine;

/// <summary>Says whether a connection may hold more memory, and which limit prevents it.</summary>
internal enum MemoryVerdict
{
    Granted,

    /// <summary>The server holds as much as it may, or the connection holds its share of that.</summary>
    NoRoom,

    /// <summary>The connections of the peer's address hold as much as they may.</summary>
    NoRoomForAddress,
}
