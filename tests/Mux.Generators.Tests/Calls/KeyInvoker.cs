using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>Makes no calls, and keeps the key of the last one: null if its method has none.</summary>
internal sealed class KeyInvoker : CallInvoker
{
    public ulong? Last { get; private set; }

    public override MethodCaller<TRequest, TResponse> Bind<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) =>
        new Caller<TRequest, TResponse>(this, method.KeyOf);

    public override StreamCaller<TRequest, TItem, TResponse> BindStream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) =>
        new Streamer<TRequest, TItem, TResponse>(this, method.KeyOf);

    private sealed class Caller<TRequest, TResponse>(KeyInvoker invoker, RequestKey<TRequest>? keyOf) : MethodCaller<TRequest, TResponse>
    {
        public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => CallAsync(request, null, cancellationToken);

        public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) => CallWithoutResultAsync(request, null, cancellationToken);

        public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
        {
            invoker.Last = keyOf?.Invoke(in request);
            return default;
        }

        public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
        {
            invoker.Last = keyOf?.Invoke(in request);
            return default;
        }
    }

    private sealed class Streamer<TRequest, TItem, TResponse>(KeyInvoker invoker, RequestKey<TRequest>? keyOf) : StreamCaller<TRequest, TItem, TResponse>
    {
        public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem> items, MuxCallOptions? options, CancellationToken cancellationToken)
        {
            invoker.Last = keyOf?.Invoke(in request);
            return default;
        }

        public override IAsyncEnumerable<TResponse> Call(TRequest request, IAsyncEnumerable<TItem>? items, MuxCallOptions? options, CancellationToken cancellationToken)
        {
            invoker.Last = keyOf?.Invoke(in request);
            return AsyncEnumerable.Empty<TResponse>();
        }
    }
}
