using System.Collections.Concurrent;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;
using Mux.Telemetry;

namespace Mux.Calls;

/// <summary>
/// Carries the calls of proxies: to one address, to many, or back over a connection. Calls, callers and their streams know only this class, not the layers
/// below it. Safe for concurrent use.
/// </summary>
/// <param name="settings">Defaults for its calls.</param>
/// <param name="ledger">Counts its calls together with others; null for a ledger of its own.</param>
internal abstract class CallRoute(RouteSettings settings, ConnectionLedger? ledger = null) : IWorkOwner
{
    private static readonly CallFailure s_expired =
        new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The deadline had passed before the call was made.");

    private long _failedCalls;
    private ConcurrentDictionary<int, MethodTimes>? _times; // created when needed: most routes hedge nothing

    public Clock Clock { get; } = settings.Clock;

    /// <summary>Deadline in microseconds for calls without one in their method and options, or <see cref="Clock.Never"/>.</summary>
    public long Deadline { get; } = settings.Deadline;

    /// <summary>True if calls made in a handler end no later than the handler's own call.</summary>
    public bool InheritsDeadlines { get; } = settings.InheritsDeadlines;

    /// <summary>Default for where the code after a call runs, if the contract does not say.</summary>
    public MuxDispatchMode Dispatch { get; } = settings.Dispatch;

    /// <summary>Workers that run the code after calls if it is too expensive for the turn.</summary>
    public Workers Completions { get; } = settings.Completions;

    /// <summary>Measures calls while metrics are listened to.</summary>
    public CallDurations Durations { get; } = settings.Durations;

    /// <summary>Address of the server in spans.</summary>
    public KeyValuePair<string, object?>[] ServerTags { get; } = settings.ServerTags;

    /// <summary>Counts calls, including those that no connection has seen.</summary>
    public ConnectionLedger Ledger { get; } = ledger ?? new();

    /// <summary>Bytes of requests that are kept because their calls may be sent again.</summary>
    public KeptBytes KeptBytes { get; } = new(settings.KeptLimit);

    /// <summary>True if calls that servers have no memory for are sent again. Does not change.</summary>
    public bool Pauses { get; } = settings.KeptLimit > 0;

    /// <summary>Calls that have failed with Unavailable or by a deadline of this side, after all of their attempts. Any thread.</summary>
    public long FailedCalls => Volatile.Read(ref _failedCalls);

    /// <summary>Number of servers to which the calls go at present; at least 1.</summary>
    public virtual int ServerCount => 1;

    /// <summary>First window of each response stream, in bytes.</summary>
    public int StreamWindow { get; } = settings.StreamWindow;

    /// <summary>
    /// True if the keys of calls decide where they go, here or at a gateway. Otherwise no key is read. Does not change: read when a proxy is bound.
    /// </summary>
    public virtual bool UsesKeys => false;

    /// <summary>Decides which failed calls of a method are sent again; null if none is. Read when a proxy is bound.</summary>
    public virtual CallPolicy? PolicyOf(MethodDescriptor method) => null;

    /// <summary>Learns of each failed attempt, before it is sent again or its caller is told.</summary>
    public virtual void OnAttemptFailed(OutgoingCall call, CallFailure failure)
    {
        // Of use to a route that chooses between endpoints.
    }

    /// <summary>Counts a call that fails, after all of its attempts.</summary>
    public void CountFailed(in CallFailure failure)
    {
        if (failure.Status == MuxStatus.Unavailable || failure.IsOwnDeadline) Interlocked.Increment(ref _failedCalls);
    }

    /// <summary>
    /// Takes a call whose attempt has failed, to send it again. Asked before anything else learns of the failure, and only for calls whose request is kept
    /// (<see cref="OutgoingCall.IsKept"/>).
    /// </summary>
    /// <param name="call">The call. No connection has it any more.</param>
    /// <param name="failure">The failure of the attempt, which was counted as that of the call.</param>
    /// <returns>True if the route has taken the call: it may have its outcome by now. False if it has failed.</returns>
    public virtual bool TryRepeat(OutgoingCall call, CallFailure failure) => false;

    /// <summary>
    /// Learns that a one-way call has failed after its caller had continued. On any thread, also in a turn; no lock is held.
    /// </summary>
    public virtual void OnOneWayFailed(MethodDescriptor method, CallFailure failure) => Ledger.CountOneWayFailure(method, failure.Status);

    /// <summary>Takes a second copy of an open call from the budget of repeated attempts, and counts it.</summary>
    /// <returns>False if the budget is empty: then no copy is sent.</returns>
    public virtual bool TryHedge(MethodDescriptor method) => false;

    /// <summary>Gets how long calls of a method take; for methods whose calls are hedged.</summary>
    public MethodTimes TimesOf(MethodDescriptor method) =>
        LazyInitializer.EnsureInitialized(ref _times, static () => new(concurrencyLevel: 1, capacity: 0)).GetOrAdd(method.Index, static _ => new MethodTimes());

    /// <summary>A call is about to start whose request is kept because its policy may send it again.</summary>
    protected virtual void OnKept()
    {
    }

    /// <summary>Gets the address of a call, for failures and traces.</summary>
    /// <param name="call">The call; null if its request could not be encoded.</param>
    public abstract string EndpointOf(OutgoingCall? call);

    /// <summary>Registers a method that a new proxy calls.</summary>
    public abstract void Register(MethodDescriptor method);

    /// <summary>Starts an encoded call. Its outcome is delivered to the call's own members, even if the route is closed.</summary>
    public abstract void Start(OutgoingCall call, ReadOnlySpan<byte> body);

    /// <summary>
    /// Starts a call with its request in a buffer. A request of several frames is sent from that buffer. A call whose time is over already fails at once,
    /// without a look at connections: a handler may make one with the options that it received, after its own time is over.
    /// </summary>
    public void StartEncoded(OutgoingCall call, MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        if (body.Length > ProtocolConstants.MaxWholeBody && !call.IsExpiredFromStart)
        {
            call.Bulk = BulkMessage.Take(buffer, body);
            body = [];
        }

        StartWhole(call, body);
    }

    /// <summary>Starts a call like <see cref="StartEncoded"/>, with a request of one frame or one that the call holds.</summary>
    public void StartWhole(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (!call.IsExpiredFromStart)
        {
            Start(call, body);
            return;
        }

        Ledger.CountOutside(call.Method, MuxStatus.DeadlineExceeded);
        CallHolder.Fail(call, s_expired);
    }

    /// <summary>Starts a call like <see cref="StartEncoded"/>, and keeps its request until its outcome.</summary>
    public void StartKept(OutgoingCall call, KeepFor reasons, MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        var kept = call.Kept ??= new KeptRequest();
        if ((reasons & KeepFor.Repeats) != 0) OnKept();
        if (body.Length > ProtocolConstants.MaxWholeBody && !call.IsExpiredFromStart)
        {
            call.Bulk = BulkMessage.Take(buffer, body);
            kept.Keep(reasons, call.Bulk, KeptBytes);
            Start(call, []);
            return;
        }

        kept.Keep(reasons, body, KeptBytes);
        StartEncoded(call, buffer, body);
    }

    /// <summary>Starts a call whose request is kept once more: <see cref="OutgoingCall.BeginAgain"/> was called.</summary>
    public void StartAgainKept(OutgoingCall call)
    {
        Ledger.UncountStart(); // it counts where it starts now
        Start(call, call.Kept!.Body);
        CancelIfRequested(call);
    }

    /// <summary>Starts a call that a connection has given back unsent, with its request in <see cref="OutgoingCall.Body"/> or its bulk message.</summary>
    public void StartAgain(OutgoingCall call)
    {
        call.GiveBack();
        var body = call.Body;
        int length = call.BodyLength;
        call.Body = null; // waiting elsewhere, it gets another copy
        Start(call, body is null ? [] : body.AsSpan(0, length));
        if (body is not null) BufferPool.Return(body);
        CancelIfRequested(call);
    }

    /// <summary>Cancels a call that was just handed to a connection, if its caller had cancelled it while none had it.</summary>
    public static void CancelIfRequested(OutgoingCall call)
    {
        Interlocked.MemoryBarrier(); // see CallHolder.Cancel
        if (call.CancelRequested) CallHolder.Cancel(call);
    }

    /// <summary>Reports an exception of the code after a call, or of the context that was to run it. No caller receives it.</summary>
    public abstract void OnUserCodeFailed(Exception error);

    /// <summary>Reports an exception of a callback that is a parameter of a call. The handler gets only a status.</summary>
    /// <param name="method">The method that was called.</param>
    /// <param name="callback">The interface and the method of the callback.</param>
    /// <param name="error">What was thrown.</param>
    public virtual void OnCallbackFailed(MethodDescriptor method, string callback, Exception error) => OnUserCodeFailed(error);

    /// <inheritdoc/>
    public abstract void OnStalled(WorkStall stall);
}

/// <summary>Defaults for all calls of a route, in the engine's units. A method or the options of a call may override them.</summary>
internal sealed record RouteSettings
{
    public required Clock Clock { get; init; }

    /// <summary>Deadline of a call in microseconds, or <see cref="Clock.Never"/>.</summary>
    public required long Deadline { get; init; }

    /// <summary>True if calls made in a handler end no later than the handler's own call.</summary>
    public required bool InheritsDeadlines { get; init; }

    /// <summary>Default for where the code after calls runs, if the contract does not say.</summary>
    public required MuxDispatchMode Dispatch { get; init; }

    /// <summary>Workers for the code after calls. Shared by the process, except in tests.</summary>
    public Workers Completions { get; init; } = ProcessWorkers.Completions;

    public required CallDurations Durations { get; init; }

    /// <summary>First window of each response stream, in bytes.</summary>
    public int StreamWindow { get; init; } = 64 * 1024;

    /// <summary>Bytes of requests that are kept because their calls may be sent again; 0 if none is.</summary>
    public long KeptLimit { get; init; }

    /// <summary>Address of the server in spans.</summary>
    public required KeyValuePair<string, object?>[] ServerTags { get; init; }
}
