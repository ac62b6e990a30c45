using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// A call of this side, from the moment it is handed to a connection until its outcome is delivered by exactly one of <see cref="OnResponse"/>,
/// <see cref="OnFailed"/> and, for one-way calls, <see cref="OnAppended"/>. None of them is called under a lock, and none may throw.
/// </summary>
/// <remarks>
/// The state below belongs to the connection: guarded by its lock, and meaningless while <see cref="Place"/> is <see cref="CallPlace.Outside"/>.
/// </remarks>
internal abstract class OutgoingCall
{
    private CalledMethod _called;
    private RoutingState? _routing;

    /// <summary>The method; set before the call is handed over.</summary>
    public MethodDescriptor Method
    {
        get => _called.Descriptor;
        set => _called = new CalledMethod(value);
    }

    /// <summary>The method, with what is needed of it in every call.</summary>
    public ref readonly CalledMethod Called => ref _called;

    /// <summary>Time at which the call expires on the connection's <see cref="Clock"/>; set before the call is handed over.</summary>
    public long Due { get; set; } = Clock.Never;

    /// <summary>
    /// Time at which the call was handed over, if it has a <see cref="Due"/>. Set with it, and again by a connection that gives the call back.
    /// </summary>
    public long StartedAt { get; set; }

    /// <summary>The part of a connection that has the call, or null. Changes when a draining connection gives back calls it has not sent.</summary>
    public CallHolder? Holder { get; set; }

    public CallPlace Place { get; set; }

    /// <summary>
    /// While <see cref="CallPlace.Open"/>: the slot's word when the call opened, which tells a stale read of the slot
    /// from a current one. While <see cref="CallPlace.Waiting"/>: its number among the calls of the queue, in the order
    /// in which they came.
    /// </summary>
    public ulong OpenWord { get; set; }

    /// <summary>While <see cref="CallPlace.Open"/>: the id on the wire.</summary>
    public CallId Id { get; set; }

    /// <summary>While <see cref="CallPlace.Waiting"/>: the encoded request, rented.</summary>
    public byte[]? Body { get; set; }

    public int BodyLength { get; set; }

    /// <summary>Until its first frame is appended: the encoded request, if it takes more than one frame. Replaces <see cref="Body"/>.</summary>
    public BulkMessage? Bulk { get; set; }

    /// <summary>Gets the length of its request, while that is not appended.</summary>
    /// <param name="body">Length of a body of one frame, which the call does not hold.</param>
    public int LengthOf(int body) => Bulk?.Left ?? body;

    /// <summary>From its first frame on: what the call sends in addition to its messages; null if nothing.</summary>
    public OutboundFlow? Flow { get; set; }

    /// <summary>Parts that most calls do not have; set before the call is handed over.</summary>
    public CallExtras? Extras { get; set; }

    /// <summary>The hash of the affinity key, for routes with several endpoints; set before the call is handed over. 0 if there is none.</summary>
    public ulong Key
    {
        get => _routing?.Key ?? 0;
        set
        {
            if (value != 0 || _routing is not null) Routing.Key = value;
        }
    }

    /// <summary>Where it was among the calls of its route that keep an order; 0 for others, and for those that are over.</summary>
    public long Sequence
    {
        get => _routing?.Sequence ?? 0;
        set => Routing.Sequence = value;
    }

    /// <summary>The request, if the call may be sent again; null or without <see cref="KeptRequest.Reasons"/> if not.</summary>
    public KeptRequest? Kept
    {
        get => _routing?.Kept;
        set => Routing.Kept = value;
    }

    /// <summary>True if its request is kept: its route is asked before it fails.</summary>
    public bool IsKept => _routing?.Kept is { Reasons: not KeepFor.Nothing };

    /// <summary>
    /// Takes the time of the attempt that is under way; null if it is not timed. Set before the call is handed over, and ended here alone: by the outcome, by
    /// <see cref="GiveBack"/>, or by <see cref="BeginAgain"/>. A time that nothing ends would count against its server for ever.
    /// </summary>
    public ICallTimer? Timer
    {
        get => _routing?.Timer;
        set => Routing.Timer = value;
    }

    /// <summary>What <see cref="Timer"/> knows the attempt by.</summary>
    public int TimerTicket
    {
        get => _routing?.TimerTicket ?? 0;
        set => Routing.TimerTicket = value;
    }

    /// <summary>
    /// Takes the terminal frame of a one-way call, whose own outcome was that its request is appended; or the loss of its connection. Many calls share it. Null
    /// if nothing wants to know. Set before the call is handed over.
    /// </summary>
    public OutgoingCall? Receipt
    {
        get => _routing?.Receipt ?? OwnReceipt;
        set => Routing.Receipt = value;
    }

    /// <summary>The <see cref="Receipt"/> of a call whose route has set none.</summary>
    protected virtual OutgoingCall? OwnReceipt => null;

    /// <summary>True if its outcome ends the <see cref="Timer"/>: a call with one reply whose request is kept.</summary>
    public bool CanBeTimed => IsKept && (_called.Shape & (MethodShape.OneWay | MethodShape.RequestStream | MethodShape.ResponseStream)) == 0;

    /// <summary>While <see cref="CallPlace.Waiting"/>: neighbours in the queue. Otherwise free for lists of calls to complete.</summary>
    public OutgoingCall? Next { get; set; }

    public OutgoingCall? Previous { get; set; }

    /// <summary>
    /// The connection that alone may carry the call: its owner keeps it until there is room, and when it is lost it goes nowhere else. Null for calls that wait
    /// in connections and may move. Set before the call is handed over.
    /// </summary>
    public IBoundCalls? Bound
    {
        get => _routing?.Bound;
        set => Routing.Bound = value;
    }

    /// <summary>
    /// True if the caller has cancelled the call. Set before <see cref="Holder"/> is read, so that a call on its way to another connection is not missed.
    /// </summary>
    public volatile bool CancelRequested;

    public bool IsOneWay => (_called.Shape & MethodShape.OneWay) != 0;

    /// <summary>True if it keeps its order among the calls of its key.</summary>
    public bool KeepsOrder => Key != 0 && Called.IsOrdered;

    /// <summary>Options in the head of its request, except deadline and trace; set before the call is handed over.</summary>
    public RequestOptions Options { get; set; }

    /// <summary>True if its request is more than a head and a body of one frame.</summary>
    public bool NeedsFullAppend => Bulk is not null || Extras is not null || (Options & RequestOptions.Stream) != 0 || IsStreamed;

    /// <summary>
    /// True if the connection only appends the request of a one-way call: the caller has another thread flush the connection afterwards.
    /// </summary>
    public bool IsSentLater { get; protected set; }

    /// <summary>True if its response is a stream.</summary>
    protected bool IsStreamed { get; init; }

    /// <summary>True if the call needs <see cref="OnAppended"/>.</summary>
    public bool WantsAppended => (_called.Shape & (MethodShape.OneWay | MethodShape.RequestStream)) != 0;

    /// <summary>True if running its handler twice does no harm, by its method or its own options.</summary>
    public bool IsIdempotent => ((Extras?.Options ?? Options) & RequestOptions.Idempotent) != 0;

    /// <summary>Its priority, by its method or its own options.</summary>
    public MuxCallPriority Priority => (MuxCallPriority)((Extras?.Options ?? Options) & RequestOptions.PriorityMask);

    /// <summary>What the peer is told if the call is cancelled.</summary>
    public virtual CancelReason CancelReason => CancelReason.Unspecified;

    /// <summary>True if the call was given no time.</summary>
    public bool IsExpiredFromStart => Due <= StartedAt;

    private RoutingState Routing => _routing ??= new RoutingState();

    /// <summary>Sets the method, of which everything is known. Called before the call is handed over.</summary>
    protected void SetMethod(in CalledMethod method) => _called = method;

    /// <summary>Gives the call a deadline. Called before it is started.</summary>
    public void SetDeadline(long now, long deadline)
    {
        StartedAt = now;
        Due = Clock.After(now, deadline);
    }

    /// <summary>Adds the time that is left of the deadline to the head of the request. A longer one than the head can say is enforced by CANCEL.</summary>
    /// <returns>False if the deadline has passed.</returns>
    public bool TryAddDeadline(long now, ref RequestHead head)
    {
        if (Due == Clock.Never) return true;
        long left = Due - now;
        if (left <= 0) return false;
        if (left <= uint.MaxValue) head = head with { Options = head.Options | RequestOptions.Deadline, DeadlineMicroseconds = (uint)left };
        return true;
    }

    /// <summary>Makes a call whose attempt has failed one that can be handed over again, with its request in <see cref="Kept"/>.</summary>
    /// <param name="now">The current time: the rest of the deadline is computed from it.</param>
    /// <param name="wasSent">True if a server has seen the call: the next one is told so.</param>
    public virtual void BeginAgain(long now, bool wasSent)
    {
        EndTimer(replied: false);
        Holder?.LetGo(this);
        Flow = null;
        Bulk = Kept!.ShareBulk();
        Kept.Metadata = null;
        if (wasSent) Options |= RequestOptions.Retry;
        if (Due != Clock.Never) StartedAt = now;
    }

    /// <summary>Has the outcome end the <see cref="Timer"/>, for calls that would not look at it.</summary>
    public virtual void ReleaseAtOutcome()
    {
        // Only calls whose outcome may have nothing to do need this.
    }

    /// <summary>Tells the <see cref="Timer"/> that the call is with no connection any longer, and is started again next.</summary>
    public void GiveBack()
    {
        if (_routing is { Timer: { } timer } routing && !timer.TryKeep(ref routing.TimerTicket, routing.Sequence)) routing.Timer = null;
    }

    /// <summary>Ends the time of the attempt.</summary>
    /// <param name="replied">True if the peer has answered it.</param>
    protected void EndTimer(bool replied)
    {
        if (_routing is not { Timer: { } timer } routing) return;
        long sequence = routing.Sequence;
        (routing.Timer, routing.Sequence) = (null, 0); // the object may be reused
        timer.End(routing.TimerTicket, sequence, replied);
    }

    /// <summary>Releases the kept request: the call has its outcome.</summary>
    protected void ReleaseKept()
    {
        if (!IsKept) return;
        if (Kept!.Metadata is { } metadata && Extras?.ResponseMetadata is { } sink) Deliver(metadata, sink);
        Kept.Release();
        Options &= ~RequestOptions.Retry; // the object may be reused
    }

    /// <summary>
    /// Clears all references of this call: the object may be reused for another one, and an idle object must not keep released memory of its channel.
    /// </summary>
    protected void Forget()
    {
        Holder = null;
        Flow = null;
        Extras = null;
        if (_routing is { } routing) (routing.Key, routing.Bound, routing.Receipt) = (0, null, null);
        Due = Clock.Never;
    }

    /// <summary>Handles the reply. In the turn.</summary>
    /// <param name="body">Valid only during this method.</param>
    /// <param name="tally">Counts the outcome, before the caller learns of it.</param>
    public abstract void OnResponse(ReadOnlySpan<byte> body, CallTally tally);

    /// <summary>Handles a reply that came in fragments. In the turn, which a large message should not occupy for long.</summary>
    /// <param name="message">Owned by the call, which returns it.</param>
    /// <param name="tally">Counts the outcome.</param>
    public virtual void OnLargeResponse(PartialMessage message, CallTally tally)
    {
        message.Lend();
        OnResponse(message.Body, tally);
        message.Return();
    }

    /// <summary>True if the caller wants the metadata of the reply.</summary>
    public virtual bool WantsMetadata => Extras?.ResponseMetadata is not null;

    /// <summary>Handles the metadata of the reply or failure that follows at once. In the turn, which owns the call: nothing else can end it anymore.</summary>
    /// <param name="block">A checked block, valid only during this method.</param>
    public virtual void OnMetadata(ReadOnlySpan<byte> block)
    {
        if (Extras?.ResponseMetadata is not { } sink) return;
        var metadata = MetadataBlock.Decode(block);
        if (IsKept) Kept!.Metadata = metadata; // it may be that of an attempt whose failure the caller does not see
        else Deliver(metadata, sink);
    }

    /// <summary>Gives metadata to the caller.</summary>
    protected virtual void Deliver(MuxMetadata metadata, MuxMetadata sink)
    {
        foreach (var entry in metadata) sink.Add(entry.Key, entry.Bytes);
    }

    /// <summary>Fails the call.</summary>
    /// <param name="failure">What is known of the failure.</param>
    /// <param name="inTurn">
    /// True if a frame of the peer reports the failure and its turn is running, which may run user code. Otherwise user code must run on another thread.
    /// </param>
    public abstract void OnFailed(CallFailure failure, bool inTurn);

    /// <summary>The request is in the outgoing queue: a one-way call ends, and a request stream begins.</summary>
    public abstract void OnAppended();

    /// <summary>
    /// What only some routes need of a call. Calls of a channel with one address and without policies have none: their objects stay small, and thousands of
    /// them are open at a time. Created by the first call of this object that needs it, and reused with that.
    /// </summary>
    private sealed class RoutingState
    {
        public ulong Key;
        public long Sequence;
        public KeptRequest? Kept;
        public ICallTimer? Timer;
        public int TimerTicket;
        public IBoundCalls? Bound;
        public OutgoingCall? Receipt;
    }
}

/// <summary>The place of an <see cref="OutgoingCall"/>: Outside -> Waiting -> Open -> Outside, where Waiting and Open may be skipped.</summary>
internal enum CallPlace : byte
{
    /// <summary>In no connection: before it is handed over, between two connections, or done.</summary>
    Outside,

    /// <summary>In the queue of a connection: its request is encoded but not appended.</summary>
    Waiting,

    /// <summary>Its REQUEST is appended, and it has a slot.</summary>
    Open,
}

/// <summary>Takes the time of a call, from its start to its outcome.</summary>
internal interface ICallTimer
{
    /// <summary>The attempt is over. On any thread.</summary>
    /// <param name="ticket">The ticket of the call: <see cref="OutgoingCall.TimerTicket"/>.</param>
    /// <param name="sequence">The place of the call: <see cref="OutgoingCall.Sequence"/>.</param>
    /// <param name="replied">True if the peer has answered it, by a reply or a failure of its handler.</param>
    void End(int ticket, long sequence, bool replied);

    /// <summary>
    /// A connection has given the call back: the peer has not seen it, and it is started again next. A timer that times this attempt alone ends; one that keeps
    /// the place of the call continues. On any thread, while nothing else has the call.
    /// </summary>
    /// <param name="ticket">The ticket of the call, which may become another one.</param>
    /// <param name="sequence">The place of the call.</param>
    /// <returns>True if it continues.</returns>
    bool TryKeep(ref int ticket, long sequence);
}

/// <summary>The parts of a call that most calls do not have.</summary>
internal sealed class CallExtras
{
    /// <summary>The options of a call that its extras replace.</summary>
    public const RequestOptions Overridden = RequestOptions.PriorityMask | RequestOptions.Idempotent;

    /// <summary>Priority and idempotence, as sent in the head of the request.</summary>
    public RequestOptions Options { get; init; }

    /// <summary>Trace context of the call; sent with the request if <see cref="Options"/> say so.</summary>
    public TraceContext Trace { get; init; }

    /// <summary>Metadata sent before the request. A private copy: the caller may change its own after the call was made.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>The span of the call, ended with it; null if nothing listens.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>Receives the metadata that comes before the reply or failure.</summary>
    public MuxMetadata? ResponseMetadata { get; init; }
}

/// <summary>A method, with what each of its calls needs: thousands of methods called in turn would miss the cache for each descriptor.</summary>
internal readonly struct CalledMethod(MethodDescriptor descriptor)
{
    public MethodDescriptor Descriptor { get; } = descriptor;

    /// <inheritdoc cref="MethodDescriptor.Index"/>
    public int Index { get; } = descriptor.Index;

    /// <summary>The shape of its calls, which a gateway changes: it waits for the end of one-way calls.</summary>
    public MethodShape Shape { get; init; } = descriptor.Shape;

    /// <summary>True if its calls have a stream, in any direction.</summary>
    public bool HasStreams => (Shape & MethodShape.Duplex) != 0;

    /// <inheritdoc cref="MethodChoices.KeepsOrder"/>
    public bool KeepsOrder { get; init; } = descriptor.Choices.KeepsOrder;

    /// <summary>True if the calls of a key go to one connection, in order. A gateway is told so with the call.</summary>
    public bool IsOrdered { get; init; } = descriptor.Choices.Dispatch == MuxDispatchMode.Ordered;

    /// <inheritdoc cref="MethodChoices.MaxMessageBytes"/>
    public int MaxMessageBytes { get; } = descriptor.Choices.MaxMessageBytes;
}
