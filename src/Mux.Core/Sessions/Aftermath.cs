using Mux.Lanes;
using Mux.Sessions.Calls;
using Mux.Sessions.Lifecycle;

namespace Mux.Sessions;

/// <summary>
/// What has to happen when the connection's lock is released: everything that calls owners, links or user code. Filled under the lock, carried out by
/// <see cref="Session.Complete"/> outside it. Empty costs nothing.
/// </summary>
internal struct Aftermath
{
    /// <summary>Calls that were decided.</summary>
    public CallOutcomes Outcomes;

    /// <summary>Calls may run.</summary>
    public bool Opened;

    /// <summary>This side takes and makes no further calls, by itself.</summary>
    public bool BeginsDrain;

    /// <summary>The connection ended.</summary>
    public ConnectionEnd? Ended;

    /// <summary>Calls that were not sent and go back to the owner, linked by <see cref="OutgoingCall.Next"/>.</summary>
    public OutgoingCall? Withdrawn;

    /// <summary>Blocks to send; the carrier is the sender.</summary>
    public OutboundBlock? Batch;

    /// <summary>All is sent: the sending direction ends.</summary>
    public bool EndSending;

    /// <summary>The link is given up.</summary>
    public bool CloseLink;

    /// <summary>Whether the owner has to hear of it.</summary>
    public readonly bool ConcernsOwner => Opened || BeginsDrain || Ended is not null || Withdrawn is not null;
}
