using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Serialization;

namespace Mux.Calls;

/// <summary>
/// Makes calls of one unary method whose policy hedges them. Apart from <see cref="UnaryCaller{TRequest, TResponse}"/>, whose calls pay nothing for this: a
/// hedged call allocates its own objects, and has a timer. Safe for concurrent use.
/// </summary>
internal sealed class HedgedCaller<TRequest, TResponse>(
    UnaryMethod<TRequest, TResponse> method, CallRoute route, object? owner = null)
    : MethodCaller<TRequest, TResponse>
{
    private readonly CalledMethod _called = new(method.Descriptor);
    private readonly RequestKey<TRequest>? _keyOf = route.UsesKeys ? method.KeyOf : null;
    private readonly long _deadline = OutgoingOptions.DeadlineOf(method.Descriptor, route);
    private readonly RequestOptions _options = OutgoingOptions.OfMethod(method.Descriptor);

    public ContractMethod Method => method;

    public ref readonly CalledMethod Called => ref _called;

    public MessageCodec<TResponse> Responses => method.Responses;

    public CallRoute Route => route;

    /// <summary>Kept for as long as calls can be made: see <see cref="RouteInvoker"/>.</summary>
    public object? Owner { get; } = owner;

    public MethodTimes Times { get; } = route.TimesOf(method.Descriptor);

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => CallAsync(request, null, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        if (call is not null) return new ValueTask<TResponse>(call.Outcome);
        return Responses.HoldsFailures
            ? new ValueTask<TResponse>(Responses.FromFailure(failure!))
            : ValueTask.FromException<TResponse>(new MuxException(failure!));
    }

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) =>
        CallWithoutResultAsync(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        return call is null ? ValueTask.FromException(new MuxException(failure!)) : new ValueTask(call.Outcome);
    }

    /// <summary>Creates a copy of a call, to be sent to a server.</summary>
    public HedgedAttempt<TRequest, TResponse> CreateAttempt(HedgedCall<TRequest, TResponse> call) => new(call, Called) { Options = _options };

    private HedgedCall<TRequest, TResponse>? Start(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken, out MuxFailure? failure)
    {
        failure = null;
        options = OutgoingOptions.InForce(options);
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            ulong key = 0;
            try
            {
                method.Requests.Encode(ref writer, request);
                if (_keyOf is not null && options?.Key is null) key = _keyOf(in request);
            }
            catch (Exception thrown)
            {
                failure = OutgoingFailure.CountUnencodable(route, method, thrown);
                return null;
            }

            var call = new HedgedCall<TRequest, TResponse>(this);
            call.First.Key = key;
            OutgoingOptions.Apply(call.First, route, _deadline, options);
            var keeps = OutgoingOptions.KeepLarge(OutgoingOptions.Keep(KeepFor.Repeats, options), route, writer.Written.Length, options);
            call.Start(keeps, buffer, writer.Written, cancellationToken);
            return call;
        }
        finally
        {
            buffer.Return();
        }
    }
}
