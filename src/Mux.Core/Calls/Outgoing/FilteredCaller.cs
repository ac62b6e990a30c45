using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Calls;

/// <summary>Makes calls of one unary method that has filters, on one channel. Safe for concurrent use.</summary>
internal sealed class FilteredCaller<TRequest, TResponse>(
    MethodCaller<TRequest, TResponse> inner, UnaryMethod<TRequest, TResponse> method, FilterPlan plan, FilterSettings settings)
    : MethodCaller<TRequest, TResponse>
{
    /// <summary>Makes the calls after their filters.</summary>
    public MethodCaller<TRequest, TResponse> Inner => inner;

    public UnaryMethod<TRequest, TResponse> Method => method;

    public FilterPlan Plan => plan;

    public FilterSettings Settings => settings;

    public ObjectPool<FilteredCall<TRequest, TResponse>> Calls { get; } = ObjectPool<FilteredCall<TRequest, TResponse>>.Shared;

    public override ValueTask<TResponse> CallAsync(TRequest request, CancellationToken cancellationToken) => CallAsync(request, null, cancellationToken);

    public override ValueTask<TResponse> CallAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled<TResponse>(cancellationToken);
        return FilteredCall<TRequest, TResponse>.Rent(this, request, options, cancellationToken).RunAsync();
    }

    public override ValueTask CallWithoutResultAsync(TRequest request, CancellationToken cancellationToken) =>
        CallWithoutResultAsync(request, null, cancellationToken);

    public override ValueTask CallWithoutResultAsync(TRequest request, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested) return ValueTask.FromCanceled(cancellationToken);
        return FilteredCall<TRequest, TResponse>.Rent(this, request, options, cancellationToken).RunWithoutResultAsync();
    }
}
