using System.Runtime.CompilerServices;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>Makes calls of one unary method, on one channel. Safe for concurrent use.</summary>
/// <remarks>Methods with messages of reference types share its code. What shared code would have to look up by type is in fields here.</remarks>
/// <param name="method">The method.</param>
/// <param name="route">Carries the calls.</param>
/// <param name="owner">The channel of the route: see <see cref="RouteInvoker"/>.</param>
/// <param name="awaitsEnd">True if the callers of a one-way method await the answer of the peer.</param>
internal sealed class UnaryCaller<TRequest, TResponse>(
    UnaryMethod<TRequest, TResponse> method, CallRoute route, object? owner = null, bool awaitsEnd = false)
    : MethodCaller<TRequest, TResponse>
{
    private readonly MessageCodec<TRequest> _requests = method.Requests;
    private readonly bool _isOrdered = method.Descriptor.Choices.Dispatch == MuxDispatchMode.Ordered;
    private readonly RequestKey<TRequest>? _keyOf = route.UsesKeys || method.Descriptor.Choices.Dispatch == MuxDispatchMode.Ordered ? method.KeyOf : null;
    private readonly CalledMethod _called = awaitsEnd
        ? new(method.Descriptor) { Shape = method.Descriptor.Shape & ~MethodShape.OneWay }
        : new(method.Descriptor);

    private UnaryCaller<TRequest, TResponse>? _awaiting; // makes the one-way calls whose callers await the answer
    private ContinuationPlacement? _lastAwaited; // one of Awaited, which is looked at only if this is not the one
    private readonly KeepFor _keeps = (method.Descriptor.Shape & MethodShape.OneWay) == 0 && route.PolicyOf(method.Descriptor) is { IsOn: true }
        ? KeepFor.Repeats
        : KeepFor.Nothing;
    private readonly bool _mayPause = (method.Descriptor.Shape & MethodShape.OneWay) == 0 && method.Descriptor.Choices.Dispatch != MuxDispatchMode.Ordered;
    private readonly long _deadline = OutgoingOptions.DeadlineOf(method.Descriptor, route);

    /// <summary>Where its calls return to; null if they are not reused: the others of the pool are known by their method alone.</summary>
    public ObjectPool<UnaryCall<TRequest, TResponse>>? Calls { get; } = awaitsEnd ? null : ObjectPool<UnaryCall<TRequest, TResponse>>.Shared;

    /// <summary>Learns what becomes of its one-way calls; null if it makes none.</summary>
    public OneWayReceipt? Receipt { get; } =
        (method.Descriptor.Shape & MethodShape.OneWay) != 0 && !awaitsEnd ? new OneWayReceipt(method.Descriptor, route) : null;

    public ContractMethod Method => method;

    public ref readonly CalledMethod Called => ref _called;

    public MessageCodec<TResponse> Responses { get; } = method.Responses;

    public CallRoute Route => route;

    /// <summary>Kept for as long as calls can be made: see <see cref="RouteInvoker"/>.</summary>
    public object? Owner { get; } = owner;

    /// <summary>Options in the head of every request.</summary>
    public RequestOptions Options { get; } = OutgoingOptions.OfMethod(method.Descriptor);

    /// <summary>Where the code after an await runs.</summary>
    public MuxDispatchMode Dispatch { get; } = method.Descriptor.Choices.DispatchOr(route.Dispatch);

    public AwaitedCode Awaited { get; } = AwaitedCode.OfCalls(method.Descriptor, method.Descriptor.FullName);

    /// <summary>Finds the placement of the code after an await: <see cref="AwaitedCode.Find(object?, ref ContinuationPlacement?)"/>.</summary>
    public Placement PlacementOf(object? state)
    {
        var last = _lastAwaited;
        return last is not null && last.IsOf(state) ? last : Awaited.Find(state, ref _lastAwaited);
    }

    /// <summary>Rents a call from the pool, to which it returns.</summary>
    public UnaryCall<TRequest, TResponse> RentCall()
    {
        var call = Calls?.TryRent() ?? UnaryCall<TRequest, TResponse>.Create();
        call.Begin(this);
        return call;
    }

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => Call(request, null, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken) =>
        Call(request, options, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) =>
        CallWithoutResultAsync(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        return call is null ? ValueTask.FromException(new MuxException(failure!)) : new ValueTask(call, call.Version);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ValueTask<TResponse> Call(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        return call is not null ? call.Task : Fail(failure!);
    }

    private ValueTask<TResponse> Fail(MuxFailure failure) => Responses.HoldsFailures
        ? new ValueTask<TResponse>(Responses.FromFailure(failure))
        : ValueTask.FromException<TResponse>(new MuxException(failure));

    private UnaryCall<TRequest, TResponse>? Start(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken, out MuxFailure? failure)
    {
        bool hasOptions = options is not null || OutgoingOptions.IsAnythingAmbient;
        if (hasOptions)
        {
            options = OutgoingOptions.InForce(options);
            if (options is { Acknowledged: true } && Receipt is not null) return Awaiting.Start(request, options, cancellationToken, out failure);
        }

        var buffer = MessageBuffer.Rent();
        ulong key = 0;
        var body = Encode(buffer, request, out failure);
        if (_keyOf is not null && failure is null && (options?.Key is null || _isOrdered)) key = KeyOf(_keyOf, request, out failure);
        UnaryCall<TRequest, TResponse>? call = null;
        if (failure is null)
        {
            call = RentCall();
            if (key != 0) call.Key = key;
            if (hasOptions) OutgoingOptions.Apply(call, route, _deadline, options);
            else if (_deadline != Clock.Never) call.SetDeadline(route.Clock.Now, _deadline);
            var keeps = hasOptions ? OutgoingOptions.Keep(_keeps, options) : _keeps;
            if (_mayPause) keeps = OutgoingOptions.KeepLarge(keeps, route, body.Length, options);
            if (keeps == KeepFor.Nothing)
            {
                route.StartEncoded(call, buffer, body);
            }
            else
            {
                call.ReleaseAtOutcome();
                route.StartKept(call, keeps, buffer, body);
            }

            if (cancellationToken.CanBeCanceled) call.CancelWith(cancellationToken);
        }

        buffer.Return();
        return call;
    }

    private UnaryCaller<TRequest, TResponse> Awaiting => _awaiting ??= new(method, route, Owner, awaitsEnd: true);

    /// <summary>Encodes the request; apart from the rest, which has no exception to handle and is faster for it.</summary>
    private ReadOnlySpan<byte> Encode(MessageBuffer buffer, TRequest request, out MuxFailure? failure)
    {
        failure = null;
        var writer = buffer.CreateWriter();
        try
        {
            _requests.Encode(ref writer, request);
        }
        catch (Exception thrown)
        {
            failure = OutgoingFailure.CountUnencodable(route, method, thrown);
        }

        return writer.Written;
    }

    private ulong KeyOf(RequestKey<TRequest> keyOf, TRequest request, out MuxFailure? failure)
    {
        failure = null;
        try
        {
            return keyOf(in request);
        }
        catch (Exception thrown)
        {
            failure = OutgoingFailure.CountUnencodable(route, method, thrown);
            return 0;
        }
    }
}

/// <summary>
/// Tells the route of one-way calls that have failed after their callers had continued: refused by the peer, failed by its handler, or lost with the
/// connection. All calls of a proxy's method share it. Safe for concurrent use.
/// </summary>
internal sealed class OneWayReceipt : OneWayReply
{
    private readonly CallRoute _route;

    public OneWayReceipt(MethodDescriptor method, CallRoute route) => (Method, _route) = (method, route);

    public override bool IsTold => true;

    public override void OnFailed(CallFailure failure, bool inTurn) => _route.OnOneWayFailed(Method, failure);
}
