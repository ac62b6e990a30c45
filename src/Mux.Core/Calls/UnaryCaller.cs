using System.Runtime.CompilerServices;
using Mux.Buffers;
using Mux.Channels;
using Mux.Connections;
using Mux.Serialization;

namespace Mux.Contracts;

/// <summary>Makes the calls of one method on one channel. Safe for concurrent use.</summary>
internal sealed class UnaryCaller<TService, TRequest, TResponse, TMethod>(ConnectionPool pool) : MethodCaller<TRequest, TResponse>
    where TService : class
    where TMethod : struct, IUnaryMethod<TService, TRequest, TResponse>
{
    private readonly ObjectPool<UnaryCall<TService, TRequest, TResponse, TMethod>> _calls = ObjectPool<UnaryCall<TService, TRequest, TResponse, TMethod>>.Shared;
    private readonly MuxDispatch _dispatch = TMethod.Descriptor.DispatchOr(pool.Dispatch);
    private readonly long _deadline = OutgoingOptions.DeadlineOf(TMethod.Descriptor, pool);

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => Call(request, null, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, CallOptions? options, CancellationToken cancellationToken) => Call(request, options, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) => CallWithoutResultAsync(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, CallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        return call is null ? ValueTask.FromException(new MuxException(failure!)) : new ValueTask(call, call.Version);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ValueTask<TResponse> Call(TRequest request, CallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        var call = Start(request, options, cancellationToken, out var failure);
        return call is not null ? new ValueTask<TResponse>(call, call.Version) : Fail(failure!);
    }

    private static ValueTask<TResponse> Fail(MuxFailure failure) =>
        TMethod.ReturnsResult ? new ValueTask<TResponse>(TMethod.ToResult(failure)) : ValueTask.FromException<TResponse>(new MuxException(failure));

    /// <exception cref="ArgumentOutOfRangeException">The deadline of the options is not more than 0.</exception>
    private UnaryCall<TService, TRequest, TResponse, TMethod>? Start(TRequest request, CallOptions? options, CancellationToken cancellationToken, out MuxFailure? failure)
    {
        failure = null;
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            try
            {
                TMethod.EncodeRequest(ref writer, request);
            }
            catch (Exception thrown)
            {
                failure = OutgoingFailure.CountUnencodable<TMethod>(pool, thrown);
                return null;
            }

            bool hasOptions = options is not null || OutgoingOptions.IsAnythingAmbient;
            if (hasOptions) options = OutgoingOptions.InForce(options); // before a call is rented: it may throw
            var call = UnaryCall<TService, TRequest, TResponse, TMethod>.Rent(_calls, pool, _dispatch);
            if (hasOptions) OutgoingOptions.Apply(call, pool, _deadline, options);
            else if (_deadline != Clock.Never) call.SetDeadline(pool.Clock.Now, _deadline);
            pool.StartEncoded(call, buffer, writer.Written);
            if (cancellationToken.CanBeCanceled) call.CancelWith(cancellationToken);
            return call;
        }
        finally
        {
            buffer.Return();
        }
    }
}
