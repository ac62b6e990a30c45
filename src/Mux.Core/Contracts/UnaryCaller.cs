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

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        var call = Start(request, cancellationToken, out var error);
        return call is null ? ValueTask.FromException<TResponse>(error!) : new ValueTask<TResponse>(call, call.Version);
    }

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        var call = Start(request, cancellationToken, out var error);
        return call is null ? ValueTask.FromException(error!) : new ValueTask(call, call.Version);
    }

    private UnaryCall<TService, TRequest, TResponse, TMethod>? Start(TRequest request, CancellationToken cancellationToken, out Exception? error)
    {
        error = null;
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
                error = pool.FailUnencodable(TMethod.Descriptor, thrown);
                return null;
            }

            var call = UnaryCall<TService, TRequest, TResponse, TMethod>.Rent(_calls, pool, _dispatch);
            if (pool.Deadline != Clock.Never) call.SetDeadline(pool.Clock.Now, pool.Deadline);
            pool.Start(call, writer.Written);
            if (cancellationToken.CanBeCanceled) call.CancelWith(cancellationToken);
            return call;
        }
        finally
        {
            buffer.Return();
        }
    }
}
