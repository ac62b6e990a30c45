using System.ComponentModel;

namespace Mux.Filters;

/// <summary>What follows a filter: the next filter, or the handler; for a call that is made here, the sending of its request.</summary>
public readonly struct MuxNext
{
    private readonly long _ticket; // valid once, for one step of one call

    /// <summary>For the runtime: creates the right to a step of a call.</summary>
    /// <param name="ticket">Valid once.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public MuxNext(long ticket) => _ticket = ticket;

    /// <summary>Runs what follows to its end, which for a method that streams is the end of its streams.</summary>
    /// <param name="call">The call that the filter was given.</param>
    /// <returns>A task that fails with the exception of the handler or of a filter further inside. A failure that a handler returns as a
    /// <see cref="MuxResult{T}"/> is no exception: see <see cref="MuxCall.Status"/>.</returns>
    /// <exception cref="InvalidOperationException">It has run before, or it is that of another call. What has run before keeps its outcome, and the call
    /// fails if the filter does not catch this exception.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="call"/> is null.</exception>
    public ValueTask RunAsync(MuxCall call)
    {
        ArgumentNullException.ThrowIfNull(call);
        return call.ContinueAsync(_ticket);
    }
}
