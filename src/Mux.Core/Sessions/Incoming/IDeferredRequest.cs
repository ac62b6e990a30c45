namespace Mux.Sessions.Incoming;

/// <summary>A request that found no room for its reply on the thread that was to run it.</summary>
internal interface IDeferredRequest
{
    /// <summary>Starts the request again: there is room, or the connection is over. Never throws.</summary>
    void Resume();
}
