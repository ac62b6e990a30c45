using Mux.Contracts;
using Mux.Lanes;
using Mux.Sessions.Messages;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Calls;

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

    /// <summary>What of a connection has the call; null if none has. Changes when a connection that drains gives up calls it has not sent.</summary>
    public CallHolder? Holder { get; set; }

    public CallPlace Place { get; set; }

    /// <summary>While <see cref="CallPlace.Open"/>: the slot's word when the call opened, by which a stale look at the slot is told from a true one.</summary>
    public ulong OpenWord { get; set; }

    /// <summary>While <see cref="CallPlace.Open"/>: the id on the wire.</summary>
    public CallId Id { get; set; }

    /// <summary>While <see cref="CallPlace.Waiting"/>: the encoded request, rented.</summary>
    public byte[]? Body { get; set; }

    public int BodyLength { get; set; }

    /// <summary>Until its first frame is appended: the encoded request, if that takes more than one frame. Instead of <see cref="Body"/>.</summary>
    public BulkMessage? Bulk { get; set; }

    /// <summary>Once its first frame is appended: what of the call goes beside the messages; null if nothing does.</summary>
    public OutboundFlow? Flow { get; set; }

    /// <summary>What it takes along that most calls do not; set before the call is handed over.</summary>
    public CallExtras? Extras { get; set; }

    /// <summary>While <see cref="CallPlace.Waiting"/>: neighbours in the queue. Otherwise free for lists of calls to complete.</summary>
    public OutgoingCall? Next { get; set; }

    public OutgoingCall? Previous { get; set; }

    /// <summary>
    /// The caller wants the call to end. Set before <see cref="Holder"/> is looked at, so that a call on its way to another connection is not missed.
    /// </summary>
    public volatile bool CancelRequested;

    public bool IsOneWay => (Method.Shape & MethodShape.OneWay) != 0;

    /// <summary>What the head of its request says, but for deadline and trace; set before the call is handed over.</summary>
    public RequestOptions Options { get; set; }

    /// <summary>Whether its request is more than a head and a body of one frame.</summary>
    public bool NeedsFullAppend => Bulk is not null || Extras is not null || (Options & RequestOptions.Stream) != 0 || IsStreamed;

    /// <summary>Whether its response is a stream.</summary>
    protected bool IsStreamed { get; init; }

    /// <summary>Whether <see cref="OnAppended"/> is wanted.</summary>
    public bool WantsAppended => (Method.Shape & (MethodShape.OneWay | MethodShape.RequestStream)) != 0;

    /// <summary>Gives the call a deadline. Called before it is started.</summary>
    public void SetDeadline(long now, long deadline)
    {
        StartedAt = now;
        Due = Clock.After(now, deadline);
    }

    /// <summary>
    /// The object may be another call's from now on: nothing of this one may reach it, nor may an idle object hold what its channel has let go.
    /// </summary>
    protected void Forget()
    {
        Holder = null;
        Flow = null;
        Extras = null;
        Due = Clock.Never;
    }

    /// <summary>The reply came. In the turn.</summary>
    /// <param name="body">Valid during the call only.</param>
    /// <param name="tally">Where the outcome is counted, before anybody hears of it.</param>
    public abstract void OnResponse(ReadOnlySpan<byte> body, CallTally tally);

    /// <summary>The reply came in fragments. In the turn, which a large message should not keep.</summary>
    /// <param name="message">The call's to return.</param>
    /// <param name="tally">Where the outcome is counted.</param>
    public virtual void OnLargeResponse(PartialMessage message, CallTally tally)
    {
        message.Lend();
        OnResponse(message.Body, tally);
        message.Return();
    }

    /// <summary>Whether its caller wants the metadata of the reply.</summary>
    public bool WantsMetadata => Extras?.ResponseMetadata is not null;

    /// <summary>Metadata came with the reply or failure that follows at once. In the turn, which has the call: nothing else can end it any more.</summary>
    /// <param name="block">Checked; valid during the call only.</param>
    public void OnMetadata(ReadOnlySpan<byte> block)
    {
        if (Extras?.ResponseMetadata is not { } sink) return;
        try
        {
            foreach (var entry in MetadataBlock.Decode(block)) sink.Add(entry.Key, entry.Bytes);
        }
        catch (Exception error)
        {
            Holder?.OnUserCodeFailed(error); // the object is the caller's, who may be at anything with it; the call completes nevertheless
        }
    }

    /// <summary>The call failed.</summary>
    /// <param name="failure">What is known.</param>
    /// <param name="inTurn">Whether a frame of the peer said so and its turn is running, which may run user code; otherwise user code must go to another
    /// thread.</param>
    public abstract void OnFailed(CallFailure failure, bool inTurn);

    /// <summary>Its request stands in the outgoing queue: the end of a one-way call, and the beginning of a request stream.</summary>
    public abstract void OnAppended();
}
