using Mux.Contracts;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// A call this side makes, from the moment it is handed to a connection until its outcome is delivered: exactly one of <see cref="OnResponse"/>,
/// <see cref="OnFailed"/> and, for one-way calls, <see cref="OnAppended"/>. None of them is called under a lock, and none may throw.
/// </summary>
/// <remarks>
/// The state below is the connection's: guarded by its lock, and meaningless while <see cref="Place"/> is <see cref="CallPlace.Outside"/>.
/// </remarks>
internal abstract class OutgoingCall
{
    /// <summary>Which method; set before the call is handed over.</summary>
    public MethodDescriptor Method { get; set; } = null!;

    /// <summary>When the call expires on the connection's <see cref="Clock"/>; set before the call is handed over.</summary>
    public long Due { get; set; } = Clock.Never;

    /// <summary>When it was handed over, if it has a <see cref="Due"/>: set with it, and again by a connection that gives the call up.</summary>
    public long StartedAt { get; set; }

    /// <summary>The connection that has the call. Changes when a connection that drains gives up calls it has not sent.</summary>
    public Connection? Connection { get; set; }

    public CallPlace Place { get; set; }

    /// <summary>While <see cref="CallPlace.Open"/>: the slot's word when the call opened, by which a stale look at the slot is told from a true one.</summary>
    public ulong OpenWord { get; set; }

    /// <summary>While <see cref="CallPlace.Open"/>: the id on the wire.</summary>
    public CallId Id { get; set; }

    /// <summary>While <see cref="CallPlace.Waiting"/>: the encoded request, rented.</summary>
    public byte[]? Body { get; set; }

    public int BodyLength { get; set; }

    /// <summary>While <see cref="CallPlace.Waiting"/>: neighbours in the queue. Otherwise free for lists of calls to complete.</summary>
    public OutgoingCall? Next { get; set; }

    public OutgoingCall? Previous { get; set; }

    /// <summary>The caller wants the call to end. Set before <see cref="Connection"/> is looked at, so that a call on its way to another connection is not missed.</summary>
    public volatile bool CancelRequested;

    public bool IsOneWay => (Method.Shape & MethodShape.OneWay) != 0;

    /// <summary>The reply came. In the turn.</summary>
    /// <param name="body">Valid during the call only.</param>
    /// <param name="tally">Where the outcome is counted, before anybody hears of it.</param>
    public abstract void OnResponse(ReadOnlySpan<byte> body, CallTally tally);

    /// <summary>The call failed.</summary>
    /// <param name="failure">What is known.</param>
    /// <param name="inTurn">Whether a frame of the peer said so and its turn is running, which may run user code; otherwise user code must go to another thread.</param>
    public abstract void OnFailed(CallFailure failure, bool inTurn);

    /// <summary>A one-way call stands in the outgoing queue.</summary>
    public abstract void OnAppended();
}
