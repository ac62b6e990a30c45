using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Server;

/// <summary>A call of a client with a stream in at least one direction, on its way to the service behind the gateway and back.</summary>
internal sealed class ForwardedStream : OutgoingStreamCall, IInboundCancellation, IThreadPoolWorkItem
{
    private static readonly CallFailure s_cut =
        new(MuxStatus.Cancelled, MuxExecution.Executed, MuxCallPhase.Wait, "The call ended before its stream was forwarded.", IsCallerCancel: true);

    private readonly ForwardedMethod _method;
    private readonly InboundCall _client;
    private readonly RouteShare _share; // of the client's connection; has places of this call until its answer
    private readonly AcceptedStream? _accepted;
    private readonly ForwardedItems? _requests, _responses;
    private readonly MuxMetadata _metadata = [];
    private readonly long _measuredFrom;
    private CallFailure? _failure; // of the forwarded call; set before the responses are ended
    private CallFailure? _broken; // why this side has cancelled the forwarded call
    private CancelReason _reason;
    private int _isCancelled, _isAnswered;
    private int _window; // bytes reserved at the client's connection
    private PumpingRight _pumping;

    /// <param name="method">The method.</param>
    /// <param name="client">The client's call, as one that is in no turn.</param>
    /// <param name="share">The share of the client's connection, with places for the call.</param>
    /// <param name="marks">What the service is told of the caller; null for nothing.</param>
    public ForwardedStream(ForwardedMethod method, in InboundCall client, RouteShare share, UserMarks? marks)
    {
        (_method, _share, _client) = (method, share, client.WithOptions(new MuxCallOptions { ResponseMetadata = _metadata }));
        _accepted = client.Stream;
        SetMethod(method.Called(inOrder: false));
        IsStreamed = HasResponseStream;
        _requests = _accepted?.Items as ForwardedItems;
        if (HasResponseStream) _responses = new ForwardedItems();
        Extras = ForwardedMarks.ExtrasOf(client, marks, _metadata);
        _measuredFrom = method.Route.Calls.Durations.Start();
    }

    public override IInboundItems? Items => _responses;

    /// <summary>
    /// False: the window counts at the connection of the client, whose reading decides how long it is full. Otherwise one client could use up the windows of
    /// all.
    /// </summary>
    public override bool ReservesWindow => false;

    public override CancelReason CancelReason => _reason;

    /// <summary>Forwards the request.</summary>
    public void Start(ReadOnlySpan<byte> body)
    {
        if (_accepted is null)
        {
            // The grace of the connection has ended, and the call is answered: this is not sent, only counted.
            Answer(new CallFailure(MuxStatus.Cancelled, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, "The connection ended before the call."), []);
            return;
        }

        if (HasResponseStream && _client.Session.ReserveWindow(_method.Route.Calls.StreamWindow, ForwardedMethod.Side) is { } lack)
        {
            Answer(new CallFailure(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, lack)
            {
                RetryAfterMilliseconds = Acceptor.RetryAfterLack,
            }, []);
            return;
        }

        if (HasResponseStream) _window = _method.Route.Calls.StreamWindow;
        _requests?.Own(this);
        _responses?.Own(this);
        _responses?.Open(_accepted.Responses!);
        var route = _method.Route.Calls;
        var keeps = _method.Prepare(this, _client);
        _client.Replies.Tokens.Attach(_client.Id, _client.Due, this);
        ForwardedBody.Start(route, this, keeps, body);
        CallRoute.CancelIfRequested(this);
    }

    public override void OnAppended()
    {
        if (_pumping.TryTake(this)) _requests!.Open(Requests!);
    }

    public override void OnMetadataAhead(ReadOnlySpan<byte> block)
    {
        base.OnMetadataAhead(block);
        // Before the first item is written. A copy: the end of the call may add to the other while the item is written elsewhere.
        if (_client.Session.Peer.ReadsStreamMetadata) _accepted!.Responses!.Ahead = _metadata.Copy();
    }

    public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally)
    {
        tally.Add(Method, MuxStatus.Ok);
        ReleaseKept();
        if (_responses is not null) _responses.End();
        else Answer(null, body);
        Observe(MuxStatus.Ok, inTurn: Turn.Owner is not null); // each listener may lose the turn, and the body with it
    }

    public override void OnFailed(CallFailure failure, bool inTurn)
    {
        var route = _method.Route.Calls;
        route.OnAttemptFailed(this, failure);
        if (IsKept)
        {
            if (_pumping.TryGiveUp(this) && Window?.TryGiveBack() != false && route.TryRepeat(this, failure)) return;
            failure = OutgoingFailure.OverAttempts(route, this, failure, isForwarded: true);
        }

        route.CountFailed(failure);
        ReleaseKept();
        Observe(failure.Status, inTurn);
        if (failure.IsCallerCancel && _broken is { } broken) failure = broken with { Execution = failure.Execution };
        if (_responses is null || failure.IsCallerCancel || failure.IsOwnDeadline)
        {
            Answer(failure, []);
            return;
        }

        _failure = failure; // items that came before it are delivered before it
        _responses.End();
    }

    /// <summary>No more items of one direction come. Any thread.</summary>
    /// <param name="items">The direction.</param>
    /// <param name="isWhole">True if all are written. Otherwise they were dropped, and a regular end would make those that were sent look complete.</param>
    public void OnDrained(ForwardedItems items, bool isWhole)
    {
        if (items != _requests) Answer(_failure ?? (isWhole ? null : Volatile.Read(ref _broken) ?? s_cut), []);
        else if (isWhole) Requests!.End();
    }

    /// <summary>The client's stream has broken: an item was too large, or could not be kept.</summary>
    public void OnRequestsBroken(CallFailure failure) => GiveUpBoth(failure);

    /// <summary>An item is larger than the side accepts that it is for.</summary>
    public void OnUnsendable(MuxException error) =>
        GiveUpBoth(new CallFailure(error.Status, MuxExecution.MayHaveExecuted, MuxCallPhase.Handler, error.Message));

    /// <inheritdoc/>
    public void Cancel(Session session, CallId id, CancelReason reason)
    {
        if (id != _client.Id || session != _client.Session || Interlocked.Exchange(ref _isCancelled, 1) != 0) return;
        _reason = reason;
        session.Options.Work.AddUserCode(this); // the connection's lock may be held, under which no other one is taken
    }

    /// <inheritdoc/>
    public void Expire(Session session, CallId id) => Cancel(session, id, CancelReason.Deadline);

    void IThreadPoolWorkItem.Execute()
    {
        _accepted!.Abort();
        CallHolder.Cancel(this);
        _responses?.Abort();
    }

    private void GiveUpBoth(CallFailure failure)
    {
        if (Interlocked.CompareExchange(ref _broken, failure, null) is not null) return;
        _client.Session.Options.Work.AddUserCode(this);
    }

    private void Observe(MuxStatus status, bool inTurn) => CallObservers.Tell(_method.Route.Calls, this, _measuredFrom, status, inTurn);

    private void Answer(CallFailure? failure, ReadOnlySpan<byte> body)
    {
        if (Interlocked.Exchange(ref _isAnswered, 1) != 0) return;
        if (_broken is { } broken && failure is null) failure = broken; // the forwarded call had ended before
        if (_window > 0) _client.Session.ReleaseWindow(_window);
        _share.Release(_method.HasRequestStream); // before the answer, after which the client may make the next call
        var status = failure is null ? ForwardedBody.Reply(_client, body) : _method.Failures.Fail(_client, this, failure);
        _requests?.Abort();
        _responses?.Abort();
        _method.Record(_client, status);
    }
}
