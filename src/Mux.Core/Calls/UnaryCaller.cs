using System.Runtime.CompilerServices;
using Mux.Buffers;
using Mux.Contracts;
using Mux.Serialization;
using Mux.Timing;

namespace Mux.Calls;

/// <summary>Makes calls of one unary method, on one channel. Safe for concurrent use.</summary>
internal sealed class UnaryCaller<TRequest, TResponse, TMethod>(CallRoute route) : MethodCaller<TRequest, TResponse>
    where TMethod : struct, IUnaryMessages<TRequest, TResponse>
{
    private readonly ObjectPool<UnaryCall<TRequest, TResponse, TMethod>> _calls = ObjectPool<UnaryCall<TRequest, TResponse, TMethod>>.Shared;
    private readonly MuxDispatchMode _dispatch = TMethod.Descriptor.Choices.DispatchOr(route.Dispatch);
    private readonly long _deadline = OutgoingOptions.DeadlineOf(TMethod.Descriptor, route);

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
        return call is not null ? new ValueTask<TResponse>(call, call.Version) : Fail(failure!);
    }

    private static ValueTask<TResponse> Fail(MuxFailure failure) =>
        TMethod.ReturnsResult ? new ValueTask<TResponse>(TMethod.ToResult(failure)) : ValueTask.FromException<TResponse>(new MuxException(failure));

    /// <exception cref="ArgumentOutOfRangeException">The timeout of the options is infinite.</exception>
    private UnaryCall<TRequest, TResponse, TMethod>? Start(
        TRequest request, MuxCallOptions? options, CancellationToken cancellationToken, out MuxFailure? failure)
    {
        bool hasOptions = options is not null || OutgoingOptions.IsAnythingAmbient;
        if (hasOptions) options = OutgoingOptions.InForce(options); // first: it may throw
        var buffer = MessageBuffer.Rent();
        var body = Encode(buffer, request, out failure);
        UnaryCall<TRequest, TResponse, TMethod>? call = null;
        if (failure is null)
        {
            call = UnaryCall<TRequest, TResponse, TMethod>.Rent(_calls, route, _dispatch);
            if (hasOptions) OutgoingOptions.Apply(call, route, _deadline, options);
            else if (_deadline != Clock.Never) call.SetDeadline(route.Clock.Now, _deadline);
            route.StartEncoded(call, buffer, body);
            if (cancellationToken.CanBeCanceled) call.CancelWith(cancellationToken);
        }

        buffer.Return();
        return call;
    }

    /// <summary>Encodes the request; apart from the rest, which has no exception to handle and is faster for it.</summary>
    private ReadOnlySpan<byte> Encode(MessageBuffer buffer, TRequest request, out MuxFailure? failure)
    {
        failure = null;
        var writer = buffer.CreateWriter();
        try
        {
            TMethod.EncodeRequest(ref writer, request);
        }
        catch (Exception thrown)
        {
            failure = OutgoingFailure.CountUnencodable<TMethod>(route, thrown);
        }

        return writer.Written;
    }
}
