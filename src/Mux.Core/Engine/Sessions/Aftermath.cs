using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// Collects under the connection's lock what must happen outside it: calls to owners, links and user code. <see cref="Session.Complete"/> carries it out.
/// </summary>
internal struct Aftermath
{
    /// <summary>Outcomes of calls, to be delivered.</summary>
    public CallOutcomes Outcomes;

    /// <summary>The connection has opened: calls may run.</summary>
    public bool Opened;

    /// <summary>This side starts a drain on its own: it accepts and makes no further calls.</summary>
    public bool BeginsDrain;

    /// <summary>The end of the connection.</summary>
    public ConnectionEnd? Ended;

    /// <summary>Unsent calls that go back to the owner, linked by <see cref="OutgoingCall.Next"/>.</summary>
    public OutgoingCall? Withdrawn;

    /// <summary>Calls that the connection had not sent when it ended, linked by <see cref="OutgoingCall.Next"/>: the owner may send them elsewhere.</summary>
    public OutgoingCall? Unsent;

    /// <summary>The failure of <see cref="Unsent"/> calls that are not sent elsewhere.</summary>
    public CallFailure? UnsentFailure;

    /// <summary>Blocks to send. The thread that holds this aftermath is the sender.</summary>
    public OutboundBlock? Batch;

    /// <summary>Everything is sent: end the sending direction.</summary>
    public bool EndSending;

    /// <summary>Close the link.</summary>
    public bool CloseLink;

    /// <summary>True if there is nothing to do.</summary>
    public readonly bool IsEmpty => !ConcernsOwner && Batch is null && !EndSending && !CloseLink && Outcomes.IsEmpty;

    /// <summary>True if there are only bytes to send.</summary>
    public readonly bool SendsOnly => Batch is not null && !ConcernsOwner && !CloseLink && Outcomes.IsEmpty;

    /// <summary>True if the owner must be notified.</summary>
    public readonly bool ConcernsOwner => Opened || BeginsDrain || Ended is not null || Withdrawn is not null || Unsent is not null;
}
