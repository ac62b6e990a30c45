namespace Mux.Sessions.Incoming;

/// <summary>A request on its way to its handler that found, on the thread that was to run it, that there is no room for its reply.</summary>
internal interface IDeferredRequest
{
    /// <summary>There is room, or the connection is over: goes the way again. Never throws.</summary>
    void Resume();
}
