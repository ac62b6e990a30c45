using Mux.Protocol;

namespace Mux.Engine;

/// <summary>The requests among the frames of a <see cref="TurnOutput"/>.</summary>
internal interface ITurnRequests
{
    /// <summary>Their block is in the outgoing queue, and begins at this position of the byte stream.</summary>
    void OnAppendedLocked(long position);

    /// <summary>Their block is dropped: the connection has ended. Calls that are still open go back to the owner.</summary>
    void WithdrawLocked(OutboundBlock block, ref Aftermath aftermath);
}
