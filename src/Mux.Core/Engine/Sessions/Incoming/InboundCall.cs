using System.Diagnostics;
using System.Globalization;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Engine;

/// <summary>One request of the peer. Exactly one of the answering members is called, once.</summary>
/// <param name="Replies">Sends the answer.</param>
/// <param name="Method">Runs the request.</param>
/// <param name="Id">Id of the call.</param>
/// <param name="IsOneWay">True if no caller waits for the answer, which is then empty.</param>
/// <param name="Due">Time at which the call expires, or <see cref="Clock.Never"/>.</param>
/// <param name="MeasuredFrom">Time of its arrival, if durations are measured; otherwise 0.</param>
/// <param name="InTurn">
/// True if the answer may be written while <see cref="InboundMethod.Invoke"/> runs, by <see cref="BeginReply"/> and <see cref="CommitReply"/>.
/// </param>
/// <param name="Extras">Parts that most requests do not have, and what the handler sees of them; or null.</param>
/// <param name="Ordinal">The peer's ordinal of the method.</param>
/// <param name="IsForwarded">
/// True if the peer says that it is a gateway, which sends the request for one of its clients: what is wrong with it is not the fault of all of them.
/// </param>
/// <param name="KeyPlace">The place of the key that it has (<see cref="KeyTable"/>), which it leaves when it has ended; 0 if it has none.</param>
internal readonly record struct InboundCall(ReplyPort Replies, InboundMethod Method, CallId Id, bool IsOneWay, long Due, bool InTurn, long MeasuredFrom = 0,
    InboundExtras? Extras = null, ushort Ordinal = 0, bool IsForwarded = false, int KeyPlace = 0)
{
    /// <summary>The connection that the call came by.</summary>
    public Session Session => Replies.Session;

    /// <summary>Priority of its large messages and streams on the connection.</summary>
    public MuxCallPriority Priority => Extras is null ? MuxCallPriority.Normal : (MuxCallPriority)(Extras.Options & RequestOptions.PriorityMask);

    /// <summary>True if its caller, or a caller before that one, sends it again.</summary>
    public bool IsRetry => Extras is not null && (Extras.Options & RequestOptions.Retry) != 0;

    /// <summary>Bytes that it holds until it is answered, in addition to its body.</summary>
    public int HeldBeside => Extras is null ? 0 : Extras.Held;

    /// <summary>Its streams, if it has any. Valid until it is answered.</summary>
    public AcceptedStream? Stream => Replies.Slots.FindStream(Id);

    /// <summary>The options that the handler sees, which collect the metadata of the answer; null if its contract does not ask for them.</summary>
    public MuxCallOptions? Options => Extras?.Seen;

    /// <summary>Gets this call for a handler that sees <paramref name="options"/>.</summary>
    public InboundCall WithOptions(MuxCallOptions? options) =>
        options is null && Extras is null ? this : this with { Extras = (Extras ?? InboundExtras.None) with { Seen = options } };

    /// <summary>Gets this call with the span of its handler.</summary>
    public InboundCall WithActivity(Activity activity) => this with { Extras = (Extras ?? InboundExtras.None) with { Activity = activity } };

    /// <summary>True if the answer has metadata.</summary>
    public bool HasResponseMetadata => Options?.ResponseMetadata is { Count: > 0 };

    /// <summary>
    /// Copies the metadata of the answer, without what went ahead of its stream; null if there is none. A copy, because the handler may have passed the
    /// original to code that still adds to it.
    /// </summary>
    public MuxMetadata? CopyResponseMetadata()
    {
        if (!HasResponseMetadata) return null;
        var metadata = Options!.ResponseMetadata!.Copy();
        return Stream?.Responses is { SentAhead: { } ahead, IsCut: false } ? Rest(metadata, ahead) : metadata;
    }

    /// <summary>Fingerprint of the method's requests at the caller; 0 if the caller does not say.</summary>
    public uint PeersRequestFingerprint => Replies.Fingerprints.Of(Ordinal);

    /// <summary>The clock of its deadline; null if it has none.</summary>
    public IWorkClock? WorkClock => Due == Clock.Never ? null : Replies.Clock;

    /// <summary>True if the caller has abandoned the call.</summary>
    /// <param name="now">Time of <see cref="WorkClock"/>; not used if that is null.</param>
    public bool IsAbandonedAt(long now) => IsOver || (Due != Clock.Never && Due <= now);

    /// <summary>Answers the call if its caller has abandoned it. For a handler that starts late.</summary>
    /// <returns>True if it is answered.</returns>
    public bool TryFailAbandoned()
    {
        if (IsOver) Fail(MuxStatus.Cancelled, MuxExecution.NotExecuted, "The caller cancelled the call before its handler started.");
        else if (IsExpired) Fail(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, $"The deadline passed before the handler started.{MostTimeText}");
        else return false;
        return true;
    }

    /// <summary>A sentence about the time that this side allows any call, which may be less than its caller does; empty if it has no limit.</summary>
    public string MostTimeText => Session.Options.MaxDeadline is var most && most == Clock.Never ? string.Empty
        : string.Create(CultureInfo.InvariantCulture, $" The server allows a call {most / 1000.0:0.###} ms (MaxCallTimeout).");

    /// <summary>The status of a call that was abandoned before its handler answered. Read only for such calls.</summary>
    public MuxStatus AbandonedStatus => IsExpired ? MuxStatus.DeadlineExceeded : MuxStatus.Cancelled;

    /// <summary>Gets all entries of the keys whose values are not those that went ahead of the stream. The caller replaces what it has of them.</summary>
    private static MuxMetadata Rest(MuxMetadata metadata, MuxMetadata ahead)
    {
        MuxMetadata rest = [];
        foreach (var entry in metadata)
        {
            if (!AreSame(metadata.GetAll(entry.Key), ahead.GetAll(entry.Key))) rest.Add(entry.Key, entry.Bytes);
        }

        return rest;
    }

    private static bool AreSame(IEnumerable<MuxMetadataEntry> values, IEnumerable<MuxMetadataEntry> others) =>
        values.Select(static entry => entry.Bytes).SequenceEqual(others.Select(static entry => entry.Bytes));

    /// <summary>True if the caller cancelled the call or its connection ended.</summary>
    private bool IsOver => Replies.IsEnded || Replies.Slots.IsCancelled(Id);

    /// <summary>True if the deadline has passed.</summary>
    public bool IsExpired => IsExpiredWithin(0);

    /// <summary>True if the deadline has passed, or passes within some microseconds.</summary>
    public bool IsExpiredWithin(long microseconds) => Due != Clock.Never && Due - microseconds <= Replies.Clock.Now;

    /// <summary>Opens a token for the handler, which releases it when it has returned.</summary>
    public InboundCancellation OpenCancellation() => Replies.Tokens.Open(Id, Due);

    /// <summary>In the turn: begins to encode the reply.</summary>
    public MessageWriter BeginReply() => Replies.BeginReply();

    /// <summary>In the turn: sends the encoded reply.</summary>
    /// <inheritdoc cref="ReplyPort.CommitReply(in InboundCall, ref MessageWriter)"/>
    public ReplyEnd CommitReply(ref MessageWriter writer) => Replies.CommitReply(this, ref writer);

    /// <summary>In the turn: drops a reply that could not be encoded. <see cref="Fail(MuxStatus, MuxExecution, string)"/> follows.</summary>
    public void AbortReply() => Replies.AbortReply();

    /// <summary>From any thread: sends an encoded reply.</summary>
    /// <inheritdoc cref="ReplyPort.Reply"/>
    public ReplyEnd Reply(ReadOnlySpan<byte> body, MessageBuffer? from = null) => Replies.Reply(this, body, from);

    /// <summary>From any thread: fails the call.</summary>
    /// <returns>The metadata of the handler that did not fit and was left out, and why; null if nothing was.</returns>
    public string? Fail(MuxStatus status, MuxExecution execution, string text) => Replies.Fail(this, status, execution, text);

    /// <summary>From any thread: fails a call for lack of room. Its handler was not started.</summary>
    /// <param name="text">Message for the caller.</param>
    /// <param name="retryAfterMilliseconds">Time after which a retry makes sense.</param>
    /// <param name="isPause">True if its caller may have kept the request, to send it again after that time.</param>
    /// <returns>The metadata of the handler that did not fit and was left out, and why; null if nothing was.</returns>
    public string? FailOverloaded(string text, uint retryAfterMilliseconds, bool isPause = false)
    {
        const byte status = (byte)MuxStatus.ResourceExhausted;
        var frame = new FailFrame(status, MuxExecution.NotExecuted, retryAfterMilliseconds, text) { IsPause = isPause };
        return Replies.Fail(this, frame, 0, []);
    }

    /// <summary>From any thread: fails the call as its handler, or a filter before it, says.</summary>
    /// <returns>What did not fit and was left out, and why; null if nothing was.</returns>
    public string? Fail(MuxFailure failure, int detailNumber, ReadOnlySpan<byte> detail, MuxExecution execution = MuxExecution.Executed)
    {
        var frame = new FailFrame((byte)failure.Status, execution, RetryHint.Of(failure.RetryAfter), failure.Message);
        return Replies.Fail(this, frame, detailNumber, detail);
    }
}
