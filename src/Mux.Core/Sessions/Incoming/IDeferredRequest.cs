namespace Mux.Sessions.Incoming;

/// <summary>A request that found no room for its reply on the thread that was to run it.</summary>
internal interface IDeferredRequest
{
    /// <summary>Starts the request again: there is room, or the connection is over. Never throws.</summary>
    void Resume();

    /// <summary>Answers the request, which will not run: ResourceExhausted, not executed. Never throws.</summary>
    /// <param name="text">Message for the caller.</param>
    /// <param name="retryAfterMilliseconds">Time after which a retry makes sense.</param>
    void Refuse(string text, uint retryAfterMilliseconds);
}
