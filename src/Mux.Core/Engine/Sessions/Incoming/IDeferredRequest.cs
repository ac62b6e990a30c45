using Mux.Runtime;

namespace Mux.Engine;

/// <summary>A request that found no room for its reply on the thread that was to run it.</summary>
internal interface IDeferredRequest
{
    /// <summary>
    /// Time at which it expires, or <see cref="Clock.Never"/>. Read only while it is deferred, like the next two members.
    /// </summary>
    long Due { get; }

    /// <summary>Length of the request in bytes.</summary>
    int Length { get; }

    /// <summary>True if its caller has abandoned it.</summary>
    /// <param name="now">The current time.</param>
    bool IsAbandoned(long now);

    /// <summary>
    /// Starts the request again: there is room, the connection is over, or its caller has abandoned it, so that it ends
    /// without running. Never throws.
    /// </summary>
    void Resume();

    /// <summary>Answers the request, which will not run: ResourceExhausted, not executed. Never throws.</summary>
    /// <param name="text">Message for the caller.</param>
    /// <param name="retryAfterMilliseconds">Time after which a retry makes sense.</param>
    /// <param name="isPause">As for <see cref="InboundCall.FailOverloaded"/>.</param>
    void Refuse(string text, uint retryAfterMilliseconds, bool isPause);
}
