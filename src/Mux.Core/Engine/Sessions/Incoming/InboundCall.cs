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

/// <summary>A request on its way to the thread that decodes and runs it.</summary>
internal abstract class CallWork(InboundCall call) : IWork, IDeferredRequest
{
    string IWork.Name => call.Method.Descriptor?.FullName ?? "an unknown method";

    IWorkOwner IWork.Owner => call.Session.WorkOwner;

    IWorkClock? IWork.Clock => call.WorkClock;

    long IDeferredRequest.Due => call.Due;

    protected InboundCall Call => call;

    public bool IsAbandoned(long now) => call.IsAbandonedAt(now);

    public virtual void Execute()
    {
        if (!call.Replies.Room.TryDefer(this)) Run();
    }

    public void Resume()
    {
        if (!call.Method.TryQueue(call, this, Length)) Release(); // if not queued, it is answered
    }

    public void Refuse(string text, uint retryAfterMilliseconds, bool isPause)
    {
        call.FailOverloaded(text, retryAfterMilliseconds, isPause);
        Release();
    }

    /// <inheritdoc/>
    public virtual void Refuse()
    {
        call.Method.Refuse(call);
        Release();
    }

    /// <summary>Length of the body in bytes.</summary>
    public abstract int Length { get; }

    /// <summary>Runs the handler, or answers the call if its caller has abandoned it.</summary>
    protected abstract void Run();

    /// <summary>Releases the memory of the request.</summary>
    protected abstract void Release();
}

/// <summary>The parts of a request that most requests do not have.</summary>
/// <param name="Options">Options in the head of the request, without those that say what else is in it.</param>
/// <param name="Trace">Trace context of the call; null if it has none.</param>
/// <param name="Metadata">Metadata that came before the request and that its handler sees, or null.</param>
internal sealed record InboundExtras(RequestOptions Options, TraceContext? Trace, MuxMetadata? Metadata)
{
    /// <summary>Bytes that the metadata holds until the call is answered.</summary>
    public int Held { get; } = Metadata is null ? 0 : MetadataBlock.MeasureDecoded(Metadata);

    private const RequestOptions Layout = RequestOptions.Deadline | RequestOptions.Trace | RequestOptions.Key;

    private const int LowBits = 6; // the hops follow the bits of the layout, which close the gap

    private static readonly InboundExtras?[] s_ofOptions = new InboundExtras?[1 << (LowBits + 4)];

    /// <summary>Number of gateways that the request has passed. Known only for methods that see options.</summary>
    public int Hops => GatewayMarks.HopsOf(Options);

    /// <summary>The caller, as a gateway names it that is believed; null if none does.</summary>
    public ForwardedCaller? Caller { get; init; }

    /// <summary>The hash of the key, for a method that forwards it; 0 if it has none.</summary>
    public ulong Key { get; init; }

    /// <summary>True if it keeps its order among the calls of its key.</summary>
    public bool IsOrdered => Key != 0 && (Options & RequestOptions.Ordered) != 0;

    /// <summary>Gets the extras of a request. Those that consist of options alone, such as a priority, are shared by all requests.</summary>
    /// <param name="options">Options in the head of the request.</param>
    /// <param name="trace">Trace context of the call; null if it has none.</param>
    /// <param name="metadata">A checked block of metadata that the handler sees; empty if there is none.</param>
    /// <param name="caller">The caller that the handler sees, as a gateway names it; null if there is none.</param>
    /// <param name="key">The hash of the key that the handler sees; 0 if there is none.</param>
    public static InboundExtras Of(
        RequestOptions options, TraceContext? trace, ReadOnlySpan<byte> metadata, ForwardedCaller? caller = null, ulong key = 0)
    {
        options &= key == 0 ? ~(Layout | RequestOptions.Ordered) : ~Layout;
        bool hasMetadata = !metadata.IsEmpty && MetadataBlock.ShowsAny(metadata);
        if (trace is null && caller is null && key == 0 && !hasMetadata) return SharedOf(options);
        return new InboundExtras(options, trace, hasMetadata ? MetadataBlock.Decode(metadata) : null) { Caller = caller, Key = key };
    }

    /// <summary>A request without extras.</summary>
    public static InboundExtras None { get; } = new(RequestOptions.None, null, null);

    /// <summary>The span of the handler, ended with the call; null if nothing listens.</summary>
    public System.Diagnostics.Activity? Activity { get; init; }

    /// <summary>The options that the handler sees, if its contract asks for them.</summary>
    public MuxCallOptions? Seen { get; init; }

    private static InboundExtras SharedOf(RequestOptions options)
    {
        int low = (int)(options & ~RequestOptions.HopsMask), hops = GatewayMarks.HopsOf(options);
        return s_ofOptions[low | hops << LowBits] ??= new InboundExtras(options, null, null);
    }
}
