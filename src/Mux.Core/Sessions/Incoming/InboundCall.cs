using System.Diagnostics;
using Mux.Execution;
using Mux.Serialization;
using Mux.Sessions.Streaming;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>One request that is being answered. Exactly one of the answering members is called, once.</summary>
/// <param name="Replies">Where it is answered.</param>
/// <param name="Method">What runs it.</param>
/// <param name="Id">Its id.</param>
/// <param name="IsOneWay">Nobody waits for the answer, which is empty.</param>
/// <param name="Due">When it expires, or <see cref="Clock.Never"/>.</param>
/// <param name="MeasuredFrom">When it arrived, if somebody measures; else 0.</param>
/// <param name="InTurn">The answer may be written while <see cref="InboundMethod.Invoke"/> runs, by <see cref="BeginReply"/> and
/// <see cref="CommitReply"/>.</param>
/// <param name="Extras">What came with it that most requests do not bring, and what its handler sees of it; or null.</param>
/// <param name="Ordinal">By which the peer named the method.</param>
internal readonly record struct InboundCall(ReplyPort Replies, InboundMethod Method, CallId Id, bool IsOneWay, long Due, bool InTurn, long MeasuredFrom = 0,
    InboundExtras? Extras = null, ushort Ordinal = 0)
{
    /// <summary>The connection that it came by.</summary>
    public Session Session => Replies.Session;

    /// <summary>How its large messages and streams share the connection.</summary>
    public MuxCallPriority Priority => Extras is null ? MuxCallPriority.Normal : (MuxCallPriority)(Extras.Options & RequestOptions.PriorityMask);

    /// <summary>What it holds of this side's memory until it is answered, beside its body.</summary>
    public int HeldBeside => Extras is null ? 0 : Extras.Held;

    /// <summary>Its streams, if it has any. Until it is answered.</summary>
    public AcceptedStream? Stream => Replies.Slots.FindStream(Id);

    /// <summary>What the handler sees of it, which takes the metadata of the answer; null if its contract does not ask.</summary>
    public MuxCallOptions? Options => Extras?.Seen;

    /// <summary>The same for a handler that sees <paramref name="options"/>.</summary>
    public InboundCall WithOptions(MuxCallOptions? options) =>
        options is null && Extras is null ? this : this with { Extras = (Extras ?? InboundExtras.None) with { Seen = options } };

    /// <summary>The same with the span of its handler.</summary>
    public InboundCall WithActivity(Activity activity) => this with { Extras = (Extras ?? InboundExtras.None) with { Activity = activity } };

    /// <summary>Whether something travels before the answer.</summary>
    public bool HasResponseMetadata => Options?.ResponseMetadata is { Count: > 0 };

    /// <summary>
    /// What travels before the answer, as it is now, because the handler may have left it to somebody who adds to it; null if there is nothing.
    /// </summary>
    public MuxMetadata? CopyResponseMetadata() => HasResponseMetadata ? Options!.ResponseMetadata!.Copy() : null;

    /// <summary>The shape of the method's requests at the caller, as a fingerprint; 0 if that does not say.</summary>
    public uint PeersRequestFingerprint => Replies.Fingerprints.Of(Ordinal);

    /// <summary>What its deadline counts in; null if it has none.</summary>
    public IWorkClock? WorkClock => Due == Clock.Never ? null : Replies.Clock;

    /// <summary>Whether no caller waits for it any more.</summary>
    /// <param name="now">What <see cref="WorkClock"/> shows; not used if that is null.</param>
    public bool IsAbandonedAt(long now) => IsOver || (Due != Clock.Never && Due <= now);

    /// <summary>Before the handler is started late: answers the call if no caller waits for it any more.</summary>
    /// <returns>Whether it is answered.</returns>
    public bool TryFailAbandoned()
    {
        if (IsOver) Fail(MuxStatus.Cancelled, MuxExecution.NotExecuted, "The caller gave the call up before its handler started.");
        else if (IsExpired) Fail(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, "The deadline passed before the handler started.");
        else return false;
        return true;
    }

    /// <summary>How a call ends that was over before its handler answered. Asked of such calls only.</summary>
    public MuxStatus AbandonedStatus => IsExpired ? MuxStatus.DeadlineExceeded : MuxStatus.Cancelled;

    /// <summary>Whether the caller cancelled it or its connection ended.</summary>
    private bool IsOver => Replies.IsEnded || Replies.Slots.IsCancelled(Id);

    /// <summary>Whether the deadline has passed.</summary>
    public bool IsExpired => Due != Clock.Never && Due <= Replies.Clock.Now;

    /// <summary>A token for the handler, to be released when it has returned.</summary>
    public InboundCancellation OpenCancellation() => Replies.Tokens.Open(Id, Due);

    /// <summary>In the turn: where the reply is encoded.</summary>
    public MessageWriter BeginReply() => Replies.BeginReply();

    /// <summary>In the turn: the reply is encoded.</summary>
    /// <inheritdoc cref="ReplyPort.CommitReply(in InboundCall, ref MessageWriter)"/>
    public MuxStatus CommitReply(ref MessageWriter writer) => Replies.CommitReply(this, ref writer);

    /// <summary>In the turn: encoding the reply failed; <see cref="Fail(MuxStatus, MuxExecution, string)"/> follows.</summary>
    public void AbortReply() => Replies.AbortReply();

    /// <summary>Anywhere: the reply in its bytes.</summary>
    /// <inheritdoc cref="ReplyPort.Reply"/>
    public MuxStatus Reply(ReadOnlySpan<byte> body, MessageBuffer? from = null) => Replies.Reply(this, body, from);

    /// <summary>Anywhere: there is no reply.</summary>
    /// <returns>What of the handler's metadata does not fit and is left out, and why; null if nothing is.</returns>
    public string? Fail(MuxStatus status, MuxExecution execution, string text) => Replies.Fail(this, status, execution, text);

    /// <summary>Anywhere: there is no room for the call now, and its handler was not started.</summary>
    /// <param name="text">For the caller.</param>
    /// <param name="retryAfterMilliseconds">After how long it makes sense to call again.</param>
    /// <returns>What of the handler's metadata does not fit and is left out, and why; null if nothing is.</returns>
    public string? FailOverloaded(string text, uint retryAfterMilliseconds) =>
        Replies.Fail(this, new FailFrame((byte)MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, retryAfterMilliseconds, text), 0, []);

    /// <summary>Anywhere: there is no reply, and the handler says why.</summary>
    /// <returns>What does not fit and is left out, and why; null if nothing is.</returns>
    public string? Fail(MuxFailure failure, int detailNumber, ReadOnlySpan<byte> detail)
    {
        double retryAfter = Math.Clamp(failure.RetryAfter?.TotalMilliseconds ?? 0, 0, uint.MaxValue);
        return Replies.Fail(this, new FailFrame((byte)failure.Status, MuxExecution.Executed, (uint)Math.Ceiling(retryAfter), failure.Message), detailNumber,
            detail);
    }
}
