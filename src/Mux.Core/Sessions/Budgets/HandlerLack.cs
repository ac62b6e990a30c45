namespace Mux.Sessions.Budgets;

/// <summary>Why a connection gets no handler for one more request.</summary>
internal enum HandlerLack
{
    /// <summary>All handlers of the server are in use.</summary>
    All,

    /// <summary>Some are free, and kept for connections or addresses that have fewer.</summary>
    Share,

    /// <summary>The connections of its address have as many as they may.</summary>
    Address,

    /// <summary>Requests of the connection wait for handlers already, and hold as many bytes as they may.</summary>
    ParkedBytes,
}
