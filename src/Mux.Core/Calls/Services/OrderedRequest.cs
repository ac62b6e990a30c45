using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Services;

namespace Mux.Calls;

/// <summary>
/// A decoded request that waits for its key. It is not reused: the code that ends the call may still know it when it runs. If its caller cancels the call, or
/// its deadline passes, it is answered at once, not executed.
/// </summary>
/// <param name="handler">Runs the request.</param>
/// <param name="call">A call that is in no turn.</param>
/// <param name="request">The decoded request.</param>
/// <param name="bytes">Its length on the wire, by which the queue of the workers is bounded.</param>
/// <param name="key">See <see cref="KeyTable"/>.</param>
internal sealed class OrderedRequest<TRequest, TResponse>(
    OrderedHandler<TRequest, TResponse> handler, InboundCall call, TRequest request, int bytes, ulong key)
    : OrderedCall(key), IWork, IInboundCancellation, IDeferredRequest
{
    string IWork.Name => handler.Descriptor.FullName;

    IWorkOwner IWork.Owner => call.Session.WorkOwner;

    IWorkClock? IWork.Clock => call.WorkClock;

    /// <summary>The call, with its key.</summary>
    private InboundCall Call => call with { KeyPlace = Place };

    long IDeferredRequest.Due => call.Due;

    int IDeferredRequest.Length => bytes;

    public bool IsAbandoned(long now) => call.IsAbandonedAt(now);

    public override bool TryStart() => handler.TryQueue(call, this, bytes);

    public override void Run()
    {
        if (call.Replies.Room.TryDefer(this)) return; // it keeps its key: those behind it would overtake it
        if (!handler.TryFailAbandoned(Call)) handler.Run(Call, request);
    }

    protected override void Refuse(KeyEntry reason) => handler.Refuse(call, reason);

    void IThreadPoolWorkItem.Execute() => KeyRun.Of(this);

    void IWork.Refuse() => handler.Refuse(Call);

    void IDeferredRequest.Resume()
    {
        if (!TryStart()) handler.LeaveKey(Call);
    }

    void IDeferredRequest.Refuse(string text, uint retryAfterMilliseconds, bool isPause)
    {
        call.FailOverloaded(text, retryAfterMilliseconds, isPause);
        handler.LeaveKey(Call);
    }

    void IInboundCancellation.Cancel(Session session, CallId id, CancelReason reason) => GiveUp(session, id);

    void IInboundCancellation.Expire(Session session, CallId id) => GiveUp(session, id);

    /// <summary>Under the lock of the connection, maybe: the call is answered elsewhere.</summary>
    private void GiveUp(Session session, CallId id)
    {
        if (session == call.Session && id == call.Id && TryEnd()) session.Options.Work.Add(new Ending(this));
    }

    private void End()
    {
        handler.Keys.Withdraw(this);
        if (!call.TryFailAbandoned()) call.Fail(call.AbandonedStatus, MuxExecution.NotExecuted, "The call ended before its handler started.");
    }

    private sealed class Ending(OrderedRequest<TRequest, TResponse> request) : IThreadPoolWorkItem
    {
        public void Execute() => request.End();
    }
}

/// <summary>
/// Runs requests of a method whose calls keep an order: those of one key, or of one connection, run one after the other, as they came. All such methods of a
/// service share their keys. Safe for concurrent use.
/// </summary>
/// <remarks>
/// A call whose key nothing has runs like any other, in the turn if that is its place. Only one that must wait becomes an object:
/// <see cref="OrderedRequest{TRequest, TResponse}"/>.
/// </remarks>
internal sealed class OrderedHandler<TRequest, TResponse>(
    UnaryMethod<TRequest, TResponse> method, ServiceSource<object> services, HandlerEnvironment environment, FilterPlan? filters)
    : UnaryHandler<TRequest, TResponse>(method, services, environment, filters)
{
    private readonly RequestKey<TRequest>? _keyOf = method.Descriptor.Choices.Dispatch == MuxDispatchMode.Ordered ? method.KeyOf : null;
    private readonly bool _isSerial = environment.IsSerial(method.Descriptor);
    private readonly ulong _scope = ScopeOf(method.Descriptor.FullName);
    private readonly KeyTable _keys = environment.Keys;

    public override ulong OrderScope => _scope;

    public KeyTable Keys => _keys;

    public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
    {
        var measured = Measured(call);
        var order = _isSerial ? call.Replies.OpenOrder() : call.Replies.Order;
        if (!TryRead(measured, body, out var request, out ulong key))
        {
            order?.Skip(_scope, call.Id);
            return;
        }

        if (_isSerial) key = order!.Number;
        if (key == 0)
        {
            order?.Skip(_scope, call.Id);
            Place(measured, request, body.Length);
            return;
        }

        key ^= _scope; // the same value is another key in another service
        if (order?.Awaits(_scope) == true) order.Add(_scope, call.Id, WaitingCall(measured, request, body.Length, key), _keys);
        else Enter(measured, request, body.Length, key);
    }

    /// <inheritdoc/>
    public override void LeaveKey(in InboundCall call)
    {
        if (call.KeyPlace != 0) _keys.Leave(call.KeyPlace);
    }

    /// <summary>Refuses a call because of a limit.</summary>
    public void Refuse(in InboundCall call, KeyEntry reason) => FailOverloaded(call, _keys.Describe(reason));

    /// <returns>False if the call is answered: its request or its key cannot be read.</returns>
    private bool TryRead(in InboundCall call, ReadOnlySpan<byte> body, out TRequest request, out ulong key)
    {
        bool isDecoded = false;
        (request, key) = (default!, 0);
        try
        {
            request = Method.Requests.Decode(body);
            isDecoded = true;
            if (_keyOf is not null) key = _keyOf(in request);
            return true;
        }
        catch (Exception error)
        {
            if (isDecoded) FailKey(call, error);
            else FailUndecodable(call, error);
            return false;
        }
    }

    private void Enter(in InboundCall call, TRequest request, int bytes, ulong key)
    {
        var entry = _keys.TryEnter(key, out int place);
        if (entry == KeyEntry.Runs)
        {
            Place(call with { KeyPlace = place }, request, bytes);
        }
        else if (entry == KeyEntry.Waits)
        {
            var waiting = WaitingCall(call, request, bytes, key);
            waiting.Continue(_keys.Enter(waiting)); // the key may be free by now
        }
        else
        {
            Refuse(call, entry);
        }
    }

    private OrderedRequest<TRequest, TResponse> WaitingCall(in InboundCall call, TRequest request, int bytes, ulong key)
    {
        var waiting = new OrderedRequest<TRequest, TResponse>(this, call with { InTurn = false }, request, bytes, key);
        call.Replies.Tokens.Attach(call.Id, call.Due, waiting); // before it comes to its key: from then on its handler may have a token
        return waiting;
    }

    /// <summary>A method name is "service/method".</summary>
    private static ulong ScopeOf(string name) => KeyHash.Of(name[..name.LastIndexOf('/')]);
}
